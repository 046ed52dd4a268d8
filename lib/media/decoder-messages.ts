import type { PictureHashes } from "./hash-distance.ts";
import type { UndrawableReason } from "./undrawable-picture.ts";

/* Messages between the web process and a decoder process, one job at a time. */

export type DecoderJob =
  | { kind: "render"; bytes: Uint8Array; size: number; format?: "webp" | "jpeg" }
  | { kind: "hash"; bytes: Uint8Array };

export type DecoderAnswer =
  | { ok: true; picture: Uint8Array }
  | { ok: true; hashes: PictureHashes | null }
  | { ok: false; reason: UndrawableReason };
