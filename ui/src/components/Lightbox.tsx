import { useEffect, useRef } from "preact/hooks";
import type { Pictures } from "../pictures";
import type { PhotoRef } from "../results";
import * as TEXT from "../text";
import { photoName, usePicture } from "./Photos";

const LARGE = 1280;

interface Props {
  pictures: Pictures;
  photos: PhotoRef[];
  at: number;
  onMove: (at: number) => void;
  onClose: () => void;
}

/** One photo large, above the page. Escape and the button close it; the arrow keys go on. */
export function Lightbox({ pictures, photos, at, onMove, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const photo = photos[at] as PhotoRef;
  const url = usePicture(pictures, photo.id, LARGE);
  useEffect(() => dialog.current?.showModal(), []);
  const go = (by: number) => {
    const to = at + by;
    if (to >= 0 && to < photos.length) onMove(to);
  };
  return (
    <dialog
      ref={dialog}
      class="lightbox"
      aria-label={TEXT.pictureOf(photoName(photo))}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && dialog.current?.close()}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") go(-1);
        if (event.key === "ArrowRight") go(1);
      }}
    >
      <figure>
        {url ? <img src={url} alt={photoName(photo)} /> : <p>{url === null ? TEXT.noPicture : TEXT.loading}</p>}
        <figcaption>
          <bdi>{photoName(photo)}</bdi>
          {photos.length > 1 && (
            <span class="buttons">
              <button type="button" aria-label={TEXT.previous} aria-disabled={at === 0} onClick={() => go(-1)}>
                ←
              </button>
              <button
                type="button"
                aria-label={TEXT.next}
                aria-disabled={at === photos.length - 1}
                onClick={() => go(1)}
              >
                →
              </button>
            </span>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            {TEXT.close}
          </button>
        </figcaption>
      </figure>
    </dialog>
  );
}
