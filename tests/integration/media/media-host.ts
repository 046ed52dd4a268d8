import { createServer, type ServerResponse } from "node:http";
import sharp from "sharp";
import { listen } from "#tests/setup/listen.ts";

export interface MediaHost {
  origin: string;
  hits: Map<string, number>;
  busiest: () => number;
  close: () => Promise<void>;
}

type Answer = (response: ServerResponse) => void | Promise<void>;

const MIB = 1024 * 1024;

function send(body: Uint8Array | string, type: string, status = 200): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
    response.end(body);
  };
}

function photo(width: number, height: number): Promise<Buffer> {
  const shapes = Array.from({ length: 9 }, (_, n) => {
    const [x, y] = [(n % 3) * 100 + 50, Math.floor(n / 3) * 75 + 35];
    return `<circle cx="${x}" cy="${y}" r="${15 + ((n * 7) % 20)}" fill="hsl(${n * 40} 70% ${20 + n * 8}%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 225" width="${width}" height="${height}">
    <rect width="300" height="225" fill="#9bc"/>${shapes.join("")}</svg>`;
  return sharp(Buffer.from(svg))
    .jpeg()
    .withExif({
      IFD0: { Copyright: "secret place" },
      IFD3: { GPSLatitude: "51/1 30/1 0/1", GPSLatitudeRef: "N" },
    })
    .toBuffer();
}

/** Few colours and hard edges, so that a GIF has the same pixels. */
function drawn(colour: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" shape-rendering="crispEdges">
    <rect width="60" height="60" fill="#fff"/><rect x="8" y="12" width="30" height="20" fill="${colour}"/>
    <rect x="20" y="40" width="34" height="12" fill="#111"/></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

/** A PNG without pixels whose header claims a size. */
function hollowPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, "latin1"), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", Buffer.alloc(64)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A small progressive JPEG whose header claims another size. */
async function hollowJpeg(width: number, height: number): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#888" } })
    .jpeg({ progressive: true, chromaSubsampling: "4:4:4" })
    .toBuffer();
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc2]));
  bytes.writeUInt16BE(height, frame + 5);
  bytes.writeUInt16BE(width, frame + 7);
  return bytes;
}

export const film = Buffer.concat([Buffer.from("\0\0\0\x20ftypisom", "latin1"), Buffer.alloc(1000, 7)]);

export async function startMediaHost(): Promise<MediaHost> {
  const large = await photo(2000, 1500);
  const small = await photo(200, 150);
  const clear = await sharp({ create: { width: 50, height: 50, channels: 4, background: "#ff000080" } })
    .png()
    .toBuffer();
  const frame = await drawn("#c22");
  const animated = await sharp([frame, await drawn("#22c")], { join: { animated: true } })
    .gif()
    .toBuffer();
  const answers: Record<string, Answer> = {
    "/large.jpg": send(large, "image/jpeg"),
    "/small.jpg": send(small, "image/jpeg"),
    "/clear.png": send(clear, "image/png"),
    "/mislabelled": send(small, "text/html"),
    "/page": send("<!doctype html><script>alert(1)</script>", "image/jpeg"),
    "/drawing.svg": send(
      "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>",
      "image/svg+xml",
    ),
    "/torn.jpg": send(large.subarray(0, large.length / 3), "image/jpeg"),
    "/bomb.png": send(hollowPng(20_000, 20_000), "image/png"),
    // Coefficients of 144 MB.
    "/progressive.jpg": send(await hollowJpeg(5_000, 4_800), "image/jpeg"),
    "/empty": send("", "image/png"),
    "/gone": send("no", "text/plain", 410),
    "/broken": send("no", "text/plain", 500),
    "/animated.gif": send(animated, "image/gif"),
    "/first-frame.png": send(frame, "image/png"),
    "/busy": (response) => {
      response.writeHead(503, { "retry-after": "600" }).end();
    },
    "/silent": () => undefined,
    "/film.mp4": send(film, "application/octet-stream"),
    "/heavy": send(Buffer.concat([small, Buffer.alloc(9 * MIB)]), "image/jpeg"),
    "/heavy.mp4": send(Buffer.concat([film, Buffer.alloc(9 * MIB)]), "video/mp4"),
    "/inward": (response) => {
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" });
      response.end();
    },
  };
  const hits = new Map<string, number>();
  let now = 0;
  let most = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://host.example");
    hits.set(url.pathname, (hits.get(url.pathname) ?? 0) + 1);
    most = Math.max(most, ++now);
    response.on("close", () => now--);
    const answer = answers[url.pathname] ?? send("not here", "text/plain", 404);
    // Keeps requests open long enough to overlap.
    setTimeout(() => void answer(response), 30);
  });
  const { origin, close } = await listen(server);
  return { origin, close, hits, busiest: () => most };
}
