"""Server-sent events: turns chunks of text, split anywhere, into the data of complete frames."""
from __future__ import annotations

import re
from typing import List

from ._errors import CowrieError

#: Limits memory when a server never ends a frame.
FRAME_MAX_CHARACTERS = 16 * 1024 * 1024
_LINE_END = re.compile(r"\r\n|\n|\r")


class EventParser:
    def __init__(self) -> None:
        self._line = ""
        self._data: List[str] = []
        self._size = 0
        self._ended_with_cr = False

    def push(self, chunk: str) -> List[str]:
        """Adds the next chunk and returns the data of every frame that it completes."""
        frames: List[str] = []
        # A CR and LF that are split over two chunks end one line, not two.
        text = chunk[1:] if self._ended_with_cr and chunk.startswith("\n") else chunk
        if chunk:
            self._ended_with_cr = chunk.endswith("\r")
        *lines, last = _LINE_END.split(text)
        for line in lines:
            self._read_line(self._line + line, frames)
            self._line = ""
        self._line += last
        if self._size + len(self._line) > FRAME_MAX_CHARACTERS:
            raise CowrieError("A frame of the stream is too large.", status=200, code="reply_too_large")
        return frames

    @property
    def is_unfinished(self) -> bool:
        return bool(self._data) or (self._line != "" and not self._line.startswith(":"))

    def _read_line(self, line: str, frames: List[str]) -> None:
        if line == "":
            if self._data:
                frames.append("\n".join(self._data))
            self._data, self._size = [], 0
            return
        # Comments and the fields event, id and retry are not used.
        if line == "data" or line.startswith("data:"):
            value = line[5:]
            self._data.append(value[1:] if value.startswith(" ") else value)
            self._size += len(line)
