"""How a model picks among the tokens that it may write next."""

from __future__ import annotations

import msgspec

__all__ = ("GREEDY", "Sampling")


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """``temperature`` 0 always takes the likeliest token, and nothing else counts then. ``top_p`` keeps the likeliest
    tokens that together have this share of the probability, ``min_p`` those with this share of the likeliest one's;
    1 and 0 keep all. An equal ``seed`` gives equal answers to equal prompts; None takes chance."""

    temperature: float = 0.0
    top_p: float = 1.0
    min_p: float = 0.0
    seed: int | None = None


GREEDY = Sampling()
