"""The other owner of the name ``toolscore``."""


def refuse_tool_scorer() -> None:
    """Raise ImportError when the PyPI project ``tool-scorer`` is installed beside this one.

    Both install a package named ``toolscore``; pip overwrites one with the other without a word,
    and what is left is a mixture that fails in odd places (its pytest plugin breaks every run).
    """
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version("tool-scorer")
    except PackageNotFoundError:
        return
    raise ImportError(
        f"tool-scorer {found} is installed too, and both projects own the package 'toolscore': "
        "they cannot share an environment. Keep one. To keep this one, run: "
        "pip uninstall -y tool-scorer && "
        "pip install --force-reinstall --no-deps toolscore-integrations"
    )
