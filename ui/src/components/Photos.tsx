import { useEffect, useRef, useState } from "preact/hooks";
import type { Chat, ToolResult } from "../chat";
import type { Pictures } from "../pictures";
import { type PhotoRef, photosOf, shortfallOf } from "../results";
import type { Call } from "../state";
import * as TEXT from "../text";
import { plain } from "../words";
import { Lightbox } from "./Lightbox";
import { Marked } from "./Lines";

/** More would only push the conversation away. */
const SHOWN = 12;
const SMALL = 256;

export function photoName(photo: PhotoRef): string {
  return photo.name ? plain(photo.name) : TEXT.aPhoto;
}

/** Small pictures of photos, each opening larger; `total` counts also those that are not named. */
export function Thumbnails({ pictures, photos, total }: { pictures: Pictures; photos: PhotoRef[]; total: number }) {
  const shown = photos.slice(0, SHOWN);
  const [open, setOpen] = useState<number | null>(null);
  if (shown.length === 0) return null;
  return (
    <>
      <ul class="photos" aria-label={TEXT.photosShown}>
        {shown.map((photo, at) => (
          <li key={photo.id}>
            <Thumbnail pictures={pictures} photo={photo} onOpen={() => setOpen(at)} />
          </li>
        ))}
        {total > shown.length && <li class="more">{TEXT.more(total - shown.length)}</li>}
      </ul>
      {open !== null && (
        <Lightbox pictures={pictures} photos={shown} at={open} onMove={setOpen} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

interface ThumbnailProps {
  pictures: Pictures;
  photo: PhotoRef;
  onOpen?: () => void;
}

/** One small picture, fetched when it comes near the screen. Opens itself where nobody else does it. */
export function Thumbnail({ pictures, photo, onOpen }: ThumbnailProps) {
  const place = useRef<HTMLButtonElement>(null);
  const near = useNear(place);
  const url = usePicture(near ? pictures : null, photo.id, SMALL);
  const [alone, setAlone] = useState(false);
  return (
    <>
      <button
        ref={place}
        type="button"
        class="thumbnail"
        aria-label={url === null ? TEXT.noPictureOf(photoName(photo)) : TEXT.picture(photoName(photo))}
        title={photo.name ? plain(photo.name) : undefined}
        onClick={onOpen ?? (() => setAlone(true))}
      >
        {url ? <img src={url} alt="" /> : <span>{url === null ? TEXT.noPicture : ""}</span>}
      </button>
      {alone && (
        <Lightbox pictures={pictures} photos={[photo]} at={0} onMove={() => {}} onClose={() => setAlone(false)} />
      )}
    </>
  );
}

/** The photos of a call's result, asked for when the card comes near the screen. */
export function ResultPhotos({ chat, call }: { chat: Chat; call: Call }) {
  const place = useRef<HTMLDivElement>(null);
  const near = useNear(place);
  const [result, setResult] = useState<ToolResult | null>(null);
  useEffect(() => {
    if (near) chat.result(call).then(setResult, () => {});
  }, [near, chat, call]);
  const photos = result ? photosOf(result, call.preview) : [];
  return (
    <div ref={place} class="result-photos">
      {result && <Shortfall result={result} />}
      {result && <ResultImages result={result} named={photos} />}
      <Thumbnails pictures={chat.pictures} photos={photos} total={Math.max(photos.length, call.result?.count ?? 0)} />
    </div>
  );
}

/** A change that reached only some of its photos says so. */
function Shortfall({ result }: { result: ToolResult }) {
  const { failed, reasons, notAttempted } = shortfallOf(result);
  return (
    <>
      {failed > 0 && <Marked kind="error" label={TEXT.failed(failed)} text={plain(reasons.join(" · "))} />}
      {notAttempted > 0 && <p class="notice error">{TEXT.notAttempted(notAttempted)}</p>}
    </>
  );
}

/** Pictures that stand in the result itself, unless they are of a photo that is shown anyway. */
function ResultImages({ result, named }: { result: ToolResult; named: PhotoRef[] }) {
  const shown = new Set(named.map((photo) => photo.id));
  const images = result.images.filter(
    (image) => /^image\/(jpeg|png|webp|gif)$/.test(image.mime_type) && !(image.photo_id && shown.has(image.photo_id)),
  );
  if (images.length === 0) return null;
  return (
    <ul class="photos" aria-label={TEXT.photosShown}>
      {images.slice(0, SHOWN).map((image, at) => (
        <li key={at}>
          <img
            class="picture"
            src={`data:${image.mime_type};base64,${image.data_base64}`}
            alt={TEXT.pictureOf(`${at + 1}`)}
          />
        </li>
      ))}
    </ul>
  );
}

/** undefined while it is on its way, null when there is none. */
export function usePicture(pictures: Pictures | null, photoId: string, size: number): string | null | undefined {
  const [url, setUrl] = useState<string | null | undefined>(undefined);
  useEffect(() => {
    let wanted = true;
    setUrl(undefined);
    pictures?.get(photoId, size).then((address) => wanted && setUrl(address));
    return () => {
      wanted = false;
    };
  }, [pictures, photoId, size]);
  return url;
}

function useNear(place: { current: Element | null }): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !place.current) return;
    const seen = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: "400px",
    });
    seen.observe(place.current);
    return () => seen.disconnect();
  }, [near, place]);
  return near;
}
