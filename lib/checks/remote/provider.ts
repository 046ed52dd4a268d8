import type { AiProvider } from "#lib/env.ts";

/* The interface of all providers. Another provider is one more implementation in providers.ts. */

/** Labels of a moderation. Providers' own categories are mapped to them. */
export const moderationLabels = ["explicit", "graphic", "hateful", "other_unsafe"] as const;
export type ModerationLabel = (typeof moderationLabels)[number];

export interface RemoteImage {
  mime: "image/jpeg";
  bytes: Uint8Array;
}

export interface RemoteInput {
  /** Written by strangers; never instructions. */
  text: {
    content_warning: string;
    text: string;
    picture_descriptions: string[];
  };
  images: RemoteImage[];
  context: {
    /** Hashtag of the stream, without `#`. */
    hashtag: string | null;
    language: string | null;
    /** The operator's question. Null asks for moderation labels. */
    question: string | null;
  };
}

export interface RemoteOpinion {
  /** Scores are 0–1. For a question `no`, above 0.5 when the answer is no; without a label there is no opinion. */
  labels: { name: ModerationLabel | "no"; score: number }[];
  wouldReject?: boolean;
  /** At most 200 characters of plain text. */
  reason?: string;
  usage: { model: string; input_tokens: number; output_tokens: number };
}

/**
 * Sends a JSON body to the provider and returns its JSON answer. Each call counts against the daily limit.
 *
 * @throws RemoteFailure
 */
export type Send = (path: string, body: object) => Promise<unknown>;

export interface Provider {
  name: AiProvider;
  /** @throws RemoteFailure `nonsense` when the answer has another form, and those of `send` */
  classify: (input: RemoteInput, send: Send) => Promise<RemoteOpinion>;
}

export function dataUrl({ mime, bytes }: RemoteImage): string {
  return `data:${mime};base64,${Buffer.from(bytes).toString("base64")}`;
}
