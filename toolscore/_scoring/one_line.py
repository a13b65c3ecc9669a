"""Texts of an agent's on one line of a terminal."""

from __future__ import annotations


def one_line(text: str) -> str:
    r"""The text with everything escaped that is not printed as itself.

    A tool's name, an argument or an error may hold line breaks, half a surrogate pair or terminal
    escapes: printed as they are, they would write lines of their own among ours.

    Example:
        >>> one_line("x\x1b[31m\nPASSED 1.00")
        'x\\x1b[31m\\nPASSED 1.00'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
