import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { looksLikePicture, playableType } from "./sniff.ts";

const text = (head: string) => Buffer.from(head.padEnd(64, "\0"), "latin1");
const ftyp = (brand: string) => text(`\0\0\0\x20ftyp${brand}`);

describe("looksLikePicture", () => {
  it.each(["jpeg", "png", "gif", "webp", "avif"] as const)("recognises a real %s", async (format) => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } });
    expect(looksLikePicture(await picture.toFormat(format).toBuffer())).toBe(true);
  });

  it.each([
    ["SVG", text("<svg xmlns='http://www.w3.org/2000/svg'>")],
    ["SVG with a declaration", text("<?xml version='1.0'?><svg>")],
    ["HTML", text("<!doctype html>")],
    ["PDF", text("%PDF-1.7")],
    ["TIFF", text("II*\0")],
    ["a ZIP", text("PK\x03\x04")],
    ["a film", ftyp("isom")],
    ["sound in RIFF", text("RIFF\0\0\0\0WAVE")],
    ["half a signature", Buffer.from([0xff, 0xd8])],
    ["nothing", Buffer.alloc(0)],
  ])("refuses %s", (_name, bytes) => {
    expect(looksLikePicture(bytes)).toBe(false);
  });
});

describe("playableType", () => {
  it.each([
    [ftyp("isom"), "video/mp4"],
    [ftyp("mp42"), "video/mp4"],
    [ftyp("qt  "), "video/quicktime"],
    [ftyp("M4A "), "audio/mp4"],
    [Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0]), "video/webm"],
    [text("OggS".padEnd(28, "\0") + "\x01vorbis"), "audio/ogg"],
    [text("OggS".padEnd(28, "\0") + "\x80theora"), "video/ogg"],
    [text("ID3\x04"), "audio/mpeg"],
    [Buffer.from([0xff, 0xfb, 0x90]), "audio/mpeg"],
    [Buffer.from([0xff, 0xf1, 0x50]), "audio/aac"],
    [text("RIFF\0\0\0\0WAVE"), "audio/wav"],
    [text("fLaC"), "audio/flac"],
    [ftyp("avif"), null],
    [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), null],
    [text("<html>"), null],
    [text("RIFF\0\0\0\0WEBP"), null],
    [Buffer.alloc(0), null],
  ])("case %#", (bytes, type) => {
    expect(playableType(bytes)).toBe(type);
  });
});
