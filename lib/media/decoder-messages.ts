import type { PictureHashes } from "./hash-distance.ts";
import type { UndrawableReason } from "./undrawable-picture.ts";

/* Messages to and from a decoder process, one job at a time. */

export type DecoderJob =
  | { kind: "render"; bytes: Uint8Array; size: number; format?: "webp" | "jpeg" }
  | { kind: "hash"; bytes: Uint8Array }
  | { kind: "pixels"; bytes: Uint8Array; size: number };

export type DecoderAnswer =
  | { ok: true; picture: Uint8Array }
  | { ok: true; hashes: PictureHashes | null }
  | { ok: true; pixels: Uint8Array; hashes: PictureHashes | null }
  | { ok: false; reason: UndrawableReason };
