import { env, type AiProvider } from "#lib/env.ts";
import type { CheckName, CheckSettings } from "#lib/checks/results/check-names.ts";
import { openaiCompatible } from "./openai-compatible.ts";
import { openaiModeration } from "./openai-moderation.ts";
import { cutCodePoints } from "#lib/fediverse/post-text.ts";
import type { Provider, RemoteImage, RemoteInput } from "./provider.ts";
import { MAX_PICTURES } from "./load-pictures.ts";
import type { RemotePost } from "./sql.ts";

const providers: Record<AiProvider, Provider> = {
  "openai-moderation": openaiModeration,
  "openai-compatible": openaiCompatible,
};

export type RemoteCheckName = Extract<CheckName, "remote_moderation" | "question">;

export interface RemoteCheck {
  name: RemoteCheckName;
  provider: Provider;
  question: string | null;
}

/** Characters of each part of a post that is sent. */
const MOST = { text: 8000, content_warning: 500, description: 1000 };

/**
 * The checks of a post that have no result yet. Moderation is the moderation service's when it is set, else the model's;
 * only a model answers questions.
 */
export function openChecks(post: RemotePost, { checks }: Pick<CheckSettings, "checks">): RemoteCheck[] {
  const [moderator] = env().AI_PROVIDER;
  const model = env().AI_PROVIDER.find((name) => name === "openai-compatible");
  const all: RemoteCheck[] = [];
  if (moderator !== undefined) {
    all.push({ name: "remote_moderation", provider: providers[moderator], question: null });
  }
  if (model !== undefined && post.question !== "") {
    all.push({ name: "question", provider: providers[model], question: post.question });
  }
  return all.filter(({ name }) => checks[name].enabled && !post.answered.includes(name));
}

export function inputOf(post: RemotePost, images: RemoteImage[]): Omit<RemoteInput, "context"> {
  return {
    text: {
      content_warning: cutCodePoints(post.spoiler_text ?? "", MOST.content_warning),
      text: cutCodePoints(post.plain_text, MOST.text),
      picture_descriptions: post.descriptions
        .slice(0, MAX_PICTURES)
        .map((description) => cutCodePoints(description, MOST.description)),
    },
    images,
  };
}

export function hasContent({ text, images }: Omit<RemoteInput, "context">): boolean {
  const { content_warning, text: body, picture_descriptions } = text;
  return (
    images.length > 0 || [content_warning, body, ...picture_descriptions].some((part) => part.trim() !== "")
  );
}
