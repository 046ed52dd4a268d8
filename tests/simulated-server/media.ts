import type { ServerResponse } from "node:http";
import type { Picture } from "./pictures.ts";
import { renderAvatar, renderEmoji, renderPicture } from "./pictures.ts";
import type { World } from "./answers.ts";

const MAX_CACHED = 400;
const SMALL_WIDTH = 640;

/** Each file is drawn once per server. */
const caches = new WeakMap<World, Map<string, Promise<{ type: string; body: Buffer }>>>();

export async function serveMedia(world: World, pathname: string, response: ServerResponse): Promise<void> {
  const cache = caches.get(world) ?? new Map<string, Promise<{ type: string; body: Buffer }>>();
  caches.set(world, cache);
  let file = cache.get(pathname);
  if (!file) {
    const drawing = draw(world, pathname);
    if (drawing === null) {
      response.writeHead(404, { "content-type": "text/plain" }).end("Not found");
      return;
    }
    file = drawing;
    cache.set(pathname, file);
    const oldest = cache.keys().next().value;
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
  }
  const { type, body } = await file;
  response
    .writeHead(200, {
      "content-type": type,
      "content-length": String(body.length),
      "cache-control": "max-age=3600",
    })
    .end(body);
}

function draw(world: World, pathname: string): Promise<{ type: string; body: Buffer }> | null {
  const as = async (type: string, body: Promise<Buffer> | Buffer) => ({ type, body: await body });
  const person = /^\/avatars\/(\d+)\.png$/.exec(pathname)?.[1];
  if (person !== undefined) return as("image/png", renderAvatar(person));
  const emoji = /^\/emoji\/([a-z_]+)\.png$/.exec(pathname)?.[1];
  if (emoji !== undefined) return as("image/png", renderEmoji(emoji));
  const [, encoded = "", size, extension] =
    /^\/media\/([^/]+)\/(original|small)\.(\w+)$/.exec(pathname) ?? [];
  const id = decodeURIComponent(encoded);
  const media = world.control.posts.flatMap((post) => post.media).find((one) => one.id === id);
  if (extension === "wav") return media?.type === "audio" ? as("audio/wav", makeSound()) : null;
  if (extension === "mp4") return media ? as("video/mp4", makeVideo()) : null;
  const picture = media?.picture ?? cardPicture(world, id);
  if (picture === null || size === undefined) return null;
  if (size === "small") return as("image/jpeg", renderPicture({ ...picture, format: "jpeg" }, SMALL_WIDTH));
  return as(`image/${picture.format}`, renderPicture(picture));
}

function cardPicture(world: World, id: string): Picture | null {
  const post = world.control.posts.find((one) => `${one.id}-card` === id);
  if (!post) return null;
  return {
    seed: `${post.uuid}/card`,
    theme: "landscape",
    width: 600,
    height: 400,
    format: "jpeg",
    quality: 80,
  };
}

/** The smallest MP4, without frames; only its poster is shown. */
function makeVideo(): Buffer {
  const ftyp = Buffer.from("\0\0\0\x18ftypisom\0\0\x02\0isomiso2", "latin1");
  return Buffer.concat([ftyp, Buffer.from("\0\0\0\x08free", "latin1")]);
}

/** Half a second of a tone, 8 kHz, 8 bit. */
function makeSound(): Buffer {
  const samples = Buffer.alloc(4_000);
  for (let index = 0; index < samples.length; index++)
    samples[index] = 128 + Math.round(40 * Math.sin(index / 3));
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + samples.length, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}
