"""The app token of agents that were given none: minted once for each role, kept in the data folder."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Final

from safelight.errors import StartRefused

if TYPE_CHECKING:
    from pathlib import Path

    from safelight_client import Runtime, Secret

__all__ = ("NAME", "stdio_token", "token_path")

NAME: Final = "stdio"
"""What the token is called in the list of tokens, and who did it in the list of changes."""


def token_path(data_dir: Path, role: str) -> Path:
    """Where the token of this role is kept."""
    return data_dir / f"stdio-token-{role}"


async def stdio_token(runtime: Runtime, path: Path, role: str) -> Secret:
    """The token in the file, which only the user can read; minted when there is none. All who ask for it at once get
    the same one. Raises ``StartRefused`` when the service mints none or the file cannot be written."""
    from safelight_client import SafelightClient, SafelightClientError, Secret, models, read_token

    if (kept := _kept(path)) is not None:
        return kept
    try:
        async with SafelightClient(runtime.url, agent_token=read_token(runtime.agent_token_file)) as client:
            minted = await client.mint_token(models.NewToken(name=NAME, role=role))  # type: ignore[arg-type]  # argparse has checked it
            if _keep(path, minted.token):
                return Secret(minted.token)
            await client.revoke_token(minted.token_id)
    except SafelightClientError as error:
        raise StartRefused(f"No token could be made for this agent: {error.message}") from None
    except OSError as error:
        raise StartRefused(f"The token of this agent cannot be kept in {path}: {error.strerror or error}") from None
    if (kept := _kept(path)) is None:
        raise StartRefused(f"The token of this agent in {path} is damaged. Delete the file.")
    return kept


def _kept(path: Path) -> Secret | None:
    from safelight_client import Secret

    try:
        return Secret(path.read_text(encoding="ascii").strip())
    except (FileNotFoundError, ValueError):  # none, or a damaged one
        return None
    except OSError as error:
        raise StartRefused(f"The token of this agent cannot be read from {path}: {error.strerror or error}") from None


def _keep(path: Path, token: str) -> bool:
    """Write the file; false where somebody else was quicker."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(token + "\n")
        if path.exists() and not _kept(path):
            path.unlink()  # an empty or damaged one
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links
            fresh.replace(path)
        return True
    finally:
        fresh.unlink(missing_ok=True)
