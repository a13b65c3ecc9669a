"""What a message says: texts, and blocks that are no texts."""

from __future__ import annotations

from typing import Any

from toolscore._read import read, read_first
from toolscore._scoring.containers import is_list, is_sequence
from toolscore._unpack import unpack

_TEXTS = (None, "text", "input_text", "output_text")


def shown(value: object) -> str:
    """Any plain value as one text."""
    try:
        return value if isinstance(value, str) else str(value)
    except (ValueError, RecursionError):  # an integer too long to print, nesting without end
        return f"<{type(value).__name__}>"


def content_of(content: object) -> Any:
    """A result's content: one text where it is made of texts only (a line each), else plain data.

    Example:
        >>> content_of([{"type": "text", "text": "4C"}]), content_of([{"type": "image"}])
        ('4C', [{'type': 'image'}])
    """
    if not is_sequence(content) or not content:
        return unpack(content) if content != [] else None
    texts = [_text(block) for block in content]
    if all(text is not None for text in texts):
        return "\n".join(text for text in texts if text is not None)
    return unpack(content)


def text_of(content: object) -> str | None:
    """All texts in a content, for an error message; None where there is nothing to say."""
    if content is None or isinstance(content, str):
        return content or None
    if is_sequence(content):
        texts = [text for text in map(_text, content) if text]
        return "\n".join(texts) or (shown(unpack(content)) if content else None)
    said = read_first(content, "message", "text", "content", "error_code")
    return text_of(said) if isinstance(said, str) or is_list(said) else shown(unpack(content))


def texts_of(content: object) -> str | None:
    """What a message says in words, without its other blocks.

    Example:
        >>> texts_of([{"type": "text", "text": "Look:"}, {"type": "tool_use", "name": "search"}])
        'Look:'
    """
    if not is_sequence(content):
        return content if isinstance(content, str) else None
    return "\n".join(filter(None, map(_text, content))) or None


def blocks_of(message: object) -> list[Any]:
    """The blocks of a message's content; none where it is a text."""
    content = read(message, "content")
    return list(content) if is_sequence(content) else []


def _text(block: object) -> str | None:
    if isinstance(block, str):
        return block
    kind, text = read(block, "type"), read(block, "text")
    return text if isinstance(text, str) and kind in _TEXTS else None
