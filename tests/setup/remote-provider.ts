import { createServer, type IncomingHttpHeaders } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { listen } from "./listen.ts";

export interface RemoteRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: {
    model: string;
    messages: {
      role: string;
      content: string | { type: string; text?: string; image_url?: { url: string } }[];
    }[];
    temperature?: number;
  };
}

export interface RemoteAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as it is when it is a string. */
  body?: unknown;
  /** Milliseconds. */
  after?: number;
}

type Answering = (request: RemoteRequest) => RemoteAnswer | Promise<RemoteAnswer>;

/** A stand-in for a chat endpoint on loopback. */
export async function startRemoteProvider() {
  const requests: RemoteRequest[] = [];
  let answering: Answering = answerNormally;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as RemoteRequest["body"];
      const request = { path: incoming.url ?? "", headers: incoming.headers, body };
      requests.push(request);
      void (async () => {
        const answer = await answering(request);
        await sleep(answer.after ?? 0);
        response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
        response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body ?? {}));
      })();
    });
  });
  const { origin, close } = await listen(server);
  return {
    origin,
    close,
    host: new URL(origin).host,
    requests,
    answer: (next: Answering) => {
      answering = next;
    },
    reset: () => {
      answering = answerNormally;
      requests.length = 0;
    },
  };
}

/** Harmless. */
function answerNormally(): RemoteAnswer {
  return scored({ explicit: 0.01, hateful: 0.02 });
}

/** Of the labels that are not named 0. */
export function scored(labels: Record<string, unknown>, reason = ""): RemoteAnswer {
  return completion({ explicit: 0, graphic: 0, hateful: 0, other_unsafe: 0, reason, ...labels });
}

/** The text parts and addresses of the pictures of a request. */
export function partsOf({
  body,
}: RemoteRequest): { type: string; text?: string; image_url?: { url: string } }[] {
  const content = body.messages[1]?.content ?? [];
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** @param content JSON unless it is a string */
export function completion(content: unknown): RemoteAnswer {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return {
    body: {
      model: "tiny-model:1b",
      choices: [{ message: { role: "assistant", content: text } }],
    },
  };
}
