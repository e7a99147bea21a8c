"""A CLIP or SigLIP model: words and the pictures that show them get vectors of like direction."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
import numpy as np
from msgspec import Meta
from PIL import Image

from safelight.embedding.runtime import Session, Tokenizer, damaged, read_config, refusing_damage, unit_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from safelight.embedding.files import PictureFiles

__all__ = ("PictureModel", "Preprocessing")

MOST_PIXELS: Final = 4096 * 4096
LONGEST: Final = 8
"""Times the shorter side; what is longer is squeezed."""
CLIP_TOKENS: Final = 77
SIGLIP_TOKENS: Final = 64
WORDS: Final = ("text_embeds", "pooler_output")
PICTURE: Final = ("image_embeds", "pooler_output")

Side = Annotated[int, Meta(ge=16, le=1024)]
Sides = dict[str, Side] | Side
Channels = tuple[float, float, float]


class Preprocessing(msgspec.Struct, frozen=True):
    """How a picture becomes the network's input, as ``preprocessor_config.json`` says it; the defaults are CLIP's."""

    image_processor_type: str = ""
    feature_extractor_type: str = ""
    do_center_crop: bool = True
    do_normalize: bool = True
    size: Sides = 224
    crop_size: Sides = 224
    resample: Annotated[int, Meta(ge=0, le=5)] = 3
    rescale_factor: Annotated[float, Meta(gt=0, le=1)] = 1 / 255
    image_mean: Channels = (0.48145466, 0.4578275, 0.40821073)
    image_std: Channels = (0.26862954, 0.26130258, 0.27577711)

    @property
    def siglip(self) -> bool:
        """Whether it is SigLIP's, which never crops."""
        return "siglip" in f"{self.image_processor_type} {self.feature_extractor_type}".lower()

    @property
    def asked_size(self) -> int:
        """The longer side of a photo of which enough is left after the crop."""
        return max(_sides(self.size)) * 3 // 2

    def pixels(self, jpeg: bytes) -> NDArray[np.float32]:
        """A picture as numbers: colour, row, column. Raises ``ValueError`` or ``OSError`` for what is no picture."""
        picture = Image.open(io.BytesIO(jpeg), formats=["JPEG"])
        if picture.width * picture.height > MOST_PIXELS:
            raise ValueError("the picture is too large")
        picture = self._cropped(self._resized(picture.convert("RGB")))
        values = np.asarray(picture, np.float32) * np.float32(self.rescale_factor)
        if self.do_normalize:
            values = (values - np.array(self.image_mean, np.float32)) / np.array(self.image_std, np.float32)
        return values.transpose(2, 0, 1)

    def _resized(self, picture: Image.Image) -> Image.Image:
        resample = Image.Resampling(self.resample)
        if isinstance(self.size, dict) and "shortest_edge" not in self.size:
            height, width = _sides(self.size)
            return picture.resize((width, height), resample)
        shortest = max(_sides(self.size))
        scale = shortest / min(picture.size)
        width, height = (min(max(shortest, round(side * scale)), shortest * LONGEST) for side in picture.size)
        return picture.resize((width, height), resample)

    def _cropped(self, picture: Image.Image) -> Image.Image:
        if self.siglip or not self.do_center_crop:
            return picture
        height, width = _sides(self.crop_size)
        left, top = (picture.width - width) // 2, (picture.height - height) // 2
        return picture.crop((left, top, left + width, top + height))


class _TextConfig(msgspec.Struct):
    max_position_embeddings: Annotated[int, Meta(ge=8, le=512)] | None = None


class _Config(msgspec.Struct):
    model_type: str = ""
    text_config: _TextConfig = msgspec.field(default_factory=_TextConfig)


class PictureModel:
    """Loaded and tried; threads may share it. Raises ``NotByMeaning`` MODEL_DAMAGED when it cannot be used."""

    def __init__(self, files: PictureFiles) -> None:
        self.name = files.name
        self.model_id = files.model_id
        with refusing_damage(files.name):
            self.preprocessing = read_config(files.preprocessor, Preprocessing)
            config = read_config(files.config, _Config)
            siglip = self.preprocessing.siglip or config.model_type.startswith("siglip")
            most = config.text_config.max_position_embeddings or (SIGLIP_TOKENS if siglip else CLIP_TOKENS)
            self._text = Session(files.text)
            fixed = siglip or self._text.tokens is not None
            self._tokenizer = Tokenizer(files.tokenizer, self._text.tokens or most, fixed=fixed)
            self._vision = Session(files.vision)
            grey = self._look([self.preprocessing.pixels(_grey())])[0]
        words = self.words("photo")
        if grey is None or grey.shape != words.shape:
            raise damaged(files.name, "its vectors of words and of pictures cannot be compared")

    def words(self, text: str) -> NDArray[np.float32]:
        """The vector of what a picture is to show, of length 1. Raises ``NotByMeaning`` MODEL_DAMAGED."""
        with refusing_damage(self.name):
            # Both kinds of models were trained on such captions, and SigLIP on lower case.
            tokens = self._tokenizer.tokens([f"a photo of {text.lower()}"])
            feeds = {"input_ids": tokens.ids, "attention_mask": tokens.mask, "position_ids": _positions(tokens.ids)}
            vector = unit_rows(self._text.run(feeds, WORDS))[0]
        if vector is None:
            raise damaged(self.name, "its vectors are no numbers")
        return vector

    def embed(self, jpegs: Sequence[bytes]) -> list[NDArray[np.float32] | None]:
        """A vector of length 1 for each picture; None for what is no picture, or where the model gives no vector.
        Raises ``NotByMeaning`` MODEL_DAMAGED."""
        found: list[NDArray[np.float32] | None] = [None] * len(jpegs)
        pixels: dict[int, NDArray[np.float32]] = {}
        for position, jpeg in enumerate(jpegs):
            try:
                pixels[position] = self.preprocessing.pixels(jpeg)
            except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, Image.DecompressionBombWarning):
                continue  # Pillow's ways to say that it is no picture
        if pixels:
            with refusing_damage(self.name):
                vectors = self._look(list(pixels.values()))
            for position, vector in zip(pixels, vectors, strict=True):
                found[position] = vector
        return found

    def _look(self, pixels: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float32] | None]:
        return unit_rows(self._vision.run({"pixel_values": np.stack(pixels)}, PICTURE))


def _sides(sides: Sides) -> tuple[int, int]:
    """Height and width."""
    if isinstance(sides, int):
        return sides, sides
    shortest = sides.get("shortest_edge", 224)
    return sides.get("height", shortest), sides.get("width", shortest)


def _positions(ids: NDArray[np.int64]) -> NDArray[Any]:
    return np.zeros_like(ids) + np.arange(ids.shape[1], dtype=np.int64)


def _grey() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 64), (128, 128, 128)).save(out, "JPEG")
    return out.getvalue()
