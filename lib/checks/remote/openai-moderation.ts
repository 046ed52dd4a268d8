import { z } from "zod";
import { plainLine } from "./plain-text.ts";
import {
  dataUrl,
  moderationLabels,
  type ModerationLabel,
  type Provider,
  type RemoteImage,
  type RemoteInput,
} from "./provider.ts";
import { RemoteFailure } from "./remote-failure.ts";

export const MODERATION_MODEL = "omni-moderation-latest";

const Answer = z.object({
  model: z.string().default(MODERATION_MODEL),
  results: z
    .array(
      z.object({
        category_scores: z
          .record(z.string(), z.number().min(0).max(1))
          .refine((scores) => Object.keys(scores).length > 0),
      }),
    )
    .min(1),
});

/** Its own `flagged` is not used, because its limits change with the model. */
export const openaiModeration: Provider = {
  name: "openai-moderation",
  async classify(input, send) {
    const highest = new Map<ModerationLabel, number>(moderationLabels.map((name) => [name, 0]));
    let model = MODERATION_MODEL;
    for (const body of requestsFor(input)) {
      const answer = Answer.safeParse(await send("/moderations", body));
      if (!answer.success) {
        throw new RemoteFailure("nonsense", "The moderation service answered without scores.");
      }
      model = plainLine(answer.data.model, 100);
      for (const { category_scores } of answer.data.results) {
        for (const [category, score] of Object.entries(category_scores)) {
          const label = labelOf(category);
          highest.set(label, Math.max(highest.get(label) ?? 0, score));
        }
      }
    }
    return {
      labels: [...highest].map(([name, score]) => ({ name, score })),
      usage: { model, input_tokens: 0, output_tokens: 0 },
    };
  },
};

/** One picture each: the service refuses requests with more. The text goes with the first. */
function requestsFor({ text, images }: RemoteInput): object[] {
  const whole = [text.content_warning, text.text, ...text.picture_descriptions].filter(Boolean).join("\n");
  const parts: object[][] = images.map((image) => [imagePart(image)]);
  if (whole !== "") parts[0] = [{ type: "text", text: whole }, ...(parts[0] ?? [])];
  return parts.map((part) => ({ model: MODERATION_MODEL, input: part }));
}

function imagePart(image: RemoteImage): object {
  return { type: "image_url", image_url: { url: dataUrl(image) } };
}

function labelOf(category: string): ModerationLabel {
  if (category.startsWith("sexual")) return "explicit";
  if (category === "violence/graphic" || category.startsWith("self-harm")) return "graphic";
  return category.startsWith("hate") ? "hateful" : "other_unsafe";
}
