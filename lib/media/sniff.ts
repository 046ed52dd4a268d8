/*
 * Detects the media type from the file signature, never from a header or file name. Anything else (SVG, PDF, HTML,
 * archives) is refused before decoding.
 */

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  Buffer.from(bytes.subarray(from, to)).toString("latin1");
const begins = (bytes: Uint8Array, ...head: number[]) => head.every((byte, index) => bytes[index] === byte);

/** Brands of the ISO base media format, at bytes 8–12 after `ftyp`. */
const STILL_BRANDS = new Set(["avif", "avis", "mif1", "msf1", "heic", "heix"]);
const SOUND_BRANDS = new Set(["M4A ", "M4B "]);

function brandOf(bytes: Uint8Array): string | null {
  return ascii(bytes, 4, 8) === "ftyp" ? ascii(bytes, 8, 12) : null;
}

/** Whether the bytes begin like a JPEG, PNG, GIF, WebP or AVIF. */
export function looksLikePicture(bytes: Uint8Array): boolean {
  return (
    begins(bytes, 0xff, 0xd8, 0xff) ||
    begins(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) ||
    /^GIF8[79]a/.test(ascii(bytes, 0, 6)) ||
    (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WEBP") ||
    STILL_BRANDS.has(brandOf(bytes) ?? "")
  );
}

/** Media type of a video or audio file; null for other files. */
export function playableType(bytes: Uint8Array): string | null {
  const brand = brandOf(bytes);
  if (brand !== null && !STILL_BRANDS.has(brand)) {
    if (SOUND_BRANDS.has(brand)) return "audio/mp4";
    return brand === "qt  " ? "video/quicktime" : "video/mp4";
  }
  if (begins(bytes, 0x1a, 0x45, 0xdf, 0xa3)) return "video/webm";
  if (ascii(bytes, 0, 4) === "OggS")
    return ascii(bytes, 28, 35).includes("theora") ? "video/ogg" : "audio/ogg";
  if (ascii(bytes, 0, 3) === "ID3") return "audio/mpeg";
  // Eleven one bits start an MPEG audio frame; layer bits 00 mean AAC in ADTS.
  if (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0) {
    return ((bytes[1] ?? 0) & 0x06) === 0 ? "audio/aac" : "audio/mpeg";
  }
  if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 12) === "WAVE") return "audio/wav";
  return ascii(bytes, 0, 4) === "fLaC" ? "audio/flac" : null;
}
