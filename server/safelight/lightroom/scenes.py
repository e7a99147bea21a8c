"""Simple pictures, drawn: enough for a person (and a vision model) to tell a beach from a wedding."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from random import Random

from PIL import Image, ImageDraw

__all__ = ("SCENES", "draw_scene")

Color = tuple[int, int, int]
Drawer = Callable[["_Canvas"], None]


class _Canvas:
    """Draws in a square of 0 to 1 that is stretched to the picture."""

    def __init__(self, width: int, height: int, rng: Random) -> None:
        self.image = Image.new("RGB", (width, height))
        self._draw = ImageDraw.Draw(self.image)
        self._width, self._height = width, height
        self.rng = rng

    def _points(self, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x * self._width, y * self._height) for x, y in points]

    def gradient(self, top: Color, bottom: Color, start: float = 0.0, end: float = 1.0) -> None:
        first, last = round(start * self._height), round(end * self._height)
        for row in range(first, last):
            share = (row - first) / max(1, last - first)
            color = tuple(round(a + (b - a) * share) for a, b in zip(top, bottom, strict=True))
            self._draw.line([(0, row), (self._width, row)], fill=color)

    def polygon(self, points: list[tuple[float, float]], color: Color) -> None:
        self._draw.polygon(self._points(points), fill=color)

    def disc(self, x: float, y: float, radius: float, color: Color, squeeze: float = 1.0) -> None:
        r = radius * min(self._width, self._height)
        cx, cy = x * self._width, y * self._height
        self._draw.ellipse([cx - r, cy - r * squeeze, cx + r, cy + r * squeeze], fill=color)

    def box(self, left: float, top: float, right: float, bottom: float, color: Color) -> None:
        (x0, y0), (x1, y1) = self._points([(left, top), (right, bottom)])
        self._draw.rectangle([x0, y0, max(x0, x1), max(y0, y1)], fill=color)

    def line(self, points: list[tuple[float, float]], color: Color, width: float = 0.008) -> None:
        self._draw.line(self._points(points), fill=color, width=max(1, round(width * self._height)), joint="curve")


def _beach(c: _Canvas) -> None:
    c.gradient((120, 190, 240), (205, 230, 250), 0, 0.45)
    c.gradient((20, 120, 170), (90, 190, 200), 0.45, 0.68)
    c.gradient((236, 214, 160), (215, 185, 125), 0.68, 1)
    c.disc(0.2 + 0.6 * c.rng.random(), 0.15, 0.07, (255, 245, 190))
    x = 0.2 + 0.5 * c.rng.random()
    c.line([(x, 0.86), (x + 0.03, 0.55)], (120, 80, 50))
    c.polygon([(x - 0.12, 0.6), (x + 0.03, 0.46), (x + 0.18, 0.58)], (220, 60, 60))


def _sunset(c: _Canvas) -> None:
    c.gradient((60, 40, 100), (250, 120, 60), 0, 0.6)
    c.gradient((190, 90, 60), (30, 25, 60), 0.6, 1)
    c.disc(0.3 + 0.4 * c.rng.random(), 0.56, 0.12, (255, 220, 120))
    c.box(0, 0.6, 1, 0.62, (90, 40, 50))


def _mountain(c: _Canvas) -> None:
    c.gradient((90, 150, 220), (220, 235, 245), 0, 0.8)
    for offset, color in ((0.0, (120, 135, 160)), (0.3, (80, 95, 120)), (0.6, (55, 70, 85))):
        peak = offset + 0.1 + 0.2 * c.rng.random()
        top = 0.2 + 0.2 * c.rng.random()
        c.polygon([(peak - 0.45, 0.85), (peak, top), (peak + 0.45, 0.85)], color)
        c.polygon([(peak - 0.09, top + 0.12), (peak, top), (peak + 0.09, top + 0.12)], (245, 248, 252))
    c.gradient((70, 120, 70), (40, 80, 45), 0.82, 1)


def _dog(c: _Canvas) -> None:
    c.gradient((170, 210, 240), (230, 240, 245), 0, 0.5)
    c.gradient((110, 170, 80), (70, 130, 55), 0.5, 1)
    fur = c.rng.choice([(150, 100, 55), (60, 50, 45), (220, 190, 140)])
    c.disc(0.5, 0.68, 0.2, fur, 0.7)
    c.disc(0.68, 0.48, 0.12, fur)
    c.polygon([(0.63, 0.4), (0.6, 0.55), (0.67, 0.47)], (90, 60, 35))
    c.disc(0.75, 0.5, 0.03, (25, 20, 20))
    c.disc(0.7, 0.45, 0.014, (15, 15, 15))
    for x in (0.38, 0.44, 0.56, 0.61):
        c.box(x, 0.76, x + 0.03, 0.92, fur)
    c.line([(0.37, 0.64), (0.27, 0.5)], fur, 0.03)


def _wedding(c: _Canvas) -> None:
    c.gradient((235, 225, 215), (250, 245, 240))
    for x in (0.08, 0.2, 0.8, 0.92):
        c.disc(x, 0.25 + 0.1 * c.rng.random(), 0.07, (230, 150, 170))
        c.disc(x + 0.03, 0.35, 0.05, (120, 170, 110))
    c.polygon([(0.3, 0.95), (0.42, 0.42), (0.54, 0.95)], (255, 255, 255))
    c.disc(0.42, 0.35, 0.07, (240, 205, 180))
    c.polygon([(0.34, 0.5), (0.42, 0.24), (0.5, 0.5)], (250, 250, 252))
    c.disc(0.42, 0.36, 0.055, (240, 205, 180))
    c.box(0.57, 0.45, 0.69, 0.95, (35, 40, 55))
    c.disc(0.63, 0.35, 0.065, (225, 185, 155))
    c.box(0.615, 0.45, 0.645, 0.6, (250, 250, 250))


def _birds(c: _Canvas) -> None:
    c.gradient((140, 190, 230), (225, 235, 240))
    for _ in range(7):
        x, y, size = c.rng.random(), 0.1 + 0.6 * c.rng.random(), 0.02 + 0.04 * c.rng.random()
        c.line([(x - size, y - size), (x, y), (x + size, y - size)], (40, 45, 55), 0.012)
    c.polygon([(0, 1), (0, 0.85), (0.5, 0.9), (1, 0.82), (1, 1)], (70, 100, 80))


def _city(c: _Canvas) -> None:
    c.gradient((12, 16, 40), (60, 50, 90))
    x = 0.0
    while x < 1:
        width, top = 0.06 + 0.08 * c.rng.random(), 0.25 + 0.4 * c.rng.random()
        c.box(x, top, x + width, 1, (25, 28, 45))
        for row in range(5):
            for column in range(3):
                if c.rng.random() < 0.6:
                    left = x + width * (0.15 + 0.28 * column)
                    c.box(left, top + 0.04 + 0.09 * row, left + width * 0.16, top + 0.08 + 0.09 * row, (255, 220, 130))
        x += width + 0.01


def _forest(c: _Canvas) -> None:
    c.gradient((190, 220, 200), (60, 90, 60))
    for _ in range(14):
        x, height = c.rng.random(), 0.35 + 0.4 * c.rng.random()
        green = c.rng.randint(60, 130)
        c.box(x - 0.008, 0.9 - height / 3, x + 0.008, 0.95, (80, 55, 40))
        c.polygon([(x - 0.08, 0.85), (x, 0.85 - height), (x + 0.08, 0.85)], (30, green, 55))


def _flowers(c: _Canvas) -> None:
    c.gradient((150, 190, 120), (80, 130, 60))
    for _ in range(18):
        x, y = c.rng.random(), 0.2 + 0.75 * c.rng.random()
        color = c.rng.choice([(220, 60, 90), (250, 200, 60), (180, 90, 200), (250, 250, 250)])
        for dx, dy in ((0.025, 0), (-0.025, 0), (0, 0.04), (0, -0.04)):
            c.disc(x + dx, y + dy, 0.035, color)
        c.disc(x, y, 0.025, (250, 220, 80))


def _snow(c: _Canvas) -> None:
    c.gradient((170, 190, 215), (235, 240, 248))
    c.polygon([(0, 1), (0, 0.7), (0.4, 0.62), (1, 0.75), (1, 1)], (250, 252, 255))
    for y, radius in ((0.78, 0.14), (0.58, 0.1), (0.43, 0.07)):
        c.disc(0.55, y, radius, (240, 244, 250))
    c.polygon([(0.55, 0.43), (0.66, 0.45), (0.55, 0.46)], (240, 130, 40))
    for _ in range(60):
        c.disc(c.rng.random(), c.rng.random(), 0.006, (255, 255, 255))


def _boat(c: _Canvas) -> None:
    c.gradient((130, 185, 230), (220, 235, 245), 0, 0.55)
    c.gradient((25, 90, 140), (15, 60, 100), 0.55, 1)
    c.polygon([(0.3, 0.62), (0.7, 0.62), (0.62, 0.72), (0.37, 0.72)], (170, 60, 50))
    c.polygon([(0.5, 0.2), (0.5, 0.6), (0.68, 0.6)], (250, 250, 250))
    c.polygon([(0.48, 0.26), (0.48, 0.6), (0.35, 0.6)], (240, 235, 225))


def _birthday(c: _Canvas) -> None:
    c.gradient((250, 225, 200), (240, 200, 180))
    for index in range(6):
        x, y = 0.1 + 0.16 * index, 0.15 + 0.1 * c.rng.random()
        c.line([(x, y), (x + 0.02, 0.5)], (150, 150, 150), 0.004)
        c.disc(x, y, 0.07, c.rng.choice([(230, 70, 80), (70, 130, 220), (250, 200, 60), (90, 180, 110)]))
    c.box(0.3, 0.6, 0.7, 0.85, (250, 245, 240))
    c.box(0.3, 0.68, 0.7, 0.72, (230, 120, 150))
    for x in (0.4, 0.5, 0.6):
        c.box(x - 0.006, 0.5, x + 0.006, 0.6, (120, 170, 220))
        c.disc(x, 0.48, 0.016, (255, 190, 60))


SCENES: Mapping[str, Drawer] = {
    "beach": _beach,
    "sunset": _sunset,
    "mountain": _mountain,
    "dog": _dog,
    "wedding": _wedding,
    "birds": _birds,
    "city": _city,
    "forest": _forest,
    "flowers": _flowers,
    "snow": _snow,
    "boat": _boat,
    "birthday": _birthday,
}


def draw_scene(name: str, seed: int, size: int) -> bytes:
    """A JPEG of 3:2 whose longer side is ``size``. The same arguments give the same picture."""
    canvas = _Canvas(size, round(size * 2 / 3), Random(seed))  # noqa: S311 - the same picture every time
    SCENES[name](canvas)
    out = io.BytesIO()
    canvas.image.save(out, "JPEG", quality=88)
    return out.getvalue()
