import { renderPicture } from "#lib/media/decode-picture.ts";
import { getPicture } from "#lib/media/get-picture.ts";
import { MediaFailure, type MediaFailureKind } from "#lib/media/media-failure.ts";
import { postPictures, type PictureSource } from "#lib/media/picture-source.ts";
import { UndrawablePicture } from "#lib/media/undrawable-picture.ts";
import type { RemoteImage } from "./chat-prompt.ts";

export const MAX_PICTURES = 4;
/** Pixels of the square they fit into. */
const SIZE_PX = 512;
const PASSING: readonly MediaFailureKind[] = ["host_failed", "host_waits", "timeout", "busy"];

export interface LoadedPictures {
  images: RemoteImage[];
  /** Pictures of the post, at most `MAX_PICTURES`. */
  of: number;
  /** One could not be loaded now, but may be later. */
  retry: boolean;
}

/** The first pictures of the post and the previews of its videos, as JPEG: not all servers of models read WebP. */
export async function loadPictures(postId: number): Promise<LoadedPictures> {
  const sources = ((await postPictures(postId)) ?? []).slice(0, MAX_PICTURES);
  const loaded = await Promise.all(sources.map(loadPicture));
  return {
    images: loaded.filter((each) => typeof each === "object"),
    of: sources.length,
    retry: loaded.includes("later"),
  };
}

async function loadPicture(source: PictureSource): Promise<RemoteImage | "later" | "never"> {
  try {
    const picture = await getPicture(source, SIZE_PX);
    return { mime: "image/jpeg", bytes: await renderPicture(picture, SIZE_PX, "jpeg") };
  } catch (error) {
    if (error instanceof MediaFailure) return PASSING.includes(error.kind) ? "later" : "never";
    if (error instanceof UndrawablePicture) return error.reason === "busy" ? "later" : "never";
    throw error;
  }
}
