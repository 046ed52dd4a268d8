import { z } from "zod";
import { env } from "#lib/env.ts";
import { messagesFor, SECOND_TRY } from "./chat-prompt.ts";
import { plainLine } from "./plain-text.ts";
import { moderationLabels, type Provider, type RemoteOpinion, type Send } from "./provider.ts";
import { RemoteFailure } from "./remote-failure.ts";

const Score = z.number().min(0).max(1);
/** Longer reasons are cut, not refused. */
const Reason = z.string().max(10_000);

const Moderation = z.strictObject({
  ...(Object.fromEntries(moderationLabels.map((name) => [name, Score])) as Record<
    (typeof moderationLabels)[number],
    typeof Score
  >),
  reason: Reason,
});

const Answer = z.strictObject({ answer: z.enum(["yes", "no", "unsure"]), confidence: Score, reason: Reason });

const Completion = z.object({
  model: z.string().optional(),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
  usage: z
    .object({ prompt_tokens: z.int().nonnegative(), completion_tokens: z.int().nonnegative() })
    .optional()
    .catch(undefined),
});

/** Any chat endpoint with structured output: OpenAI, Ollama, vLLM, LM Studio, llama.cpp. */
export const openaiCompatible: Provider = {
  name: "openai-compatible",
  async classify(input, send) {
    const messages = messagesFor(input);
    return input.context.question === null
      ? moderationOf(await complete(messages, Moderation, send))
      : answerOf(await complete(messages, Answer, send));
  },
};

interface Completed<T> {
  content: T;
  usage: RemoteOpinion["usage"];
}

/** One retry when the answer has another form. */
async function complete<T>(messages: object[], schema: z.ZodType<T>, send: Send): Promise<Completed<T>> {
  const first = read(await send("/chat/completions", bodyFor(messages, schema)), schema);
  if (first !== null) return first;
  const again = [...messages, SECOND_TRY];
  const second = read(await send("/chat/completions", bodyFor(again, schema)), schema);
  if (second !== null) return second;
  throw new RemoteFailure("nonsense", "The model did not answer in the requested form.");
}

function bodyFor(messages: object[], schema: z.ZodType): object {
  return {
    model: env().OPENAI_MODEL,
    temperature: 0,
    messages,
    response_format: {
      type: "json_schema",
      json_schema: { name: "post_check", strict: true, schema: jsonSchema(schema) },
    },
  };
}

/** Without limits of strings, which strict modes refuse. */
function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema: part }) => {
      delete part.maxLength;
    },
  });
  return rest;
}

function read<T>(json: unknown, schema: z.ZodType<T>): Completed<T> | null {
  const completion = Completion.safeParse(json);
  if (!completion.success) return null;
  const { model, choices, usage } = completion.data;
  const content = schema.safeParse(parsed(choices[0]?.message.content ?? ""));
  if (!content.success) return null;
  return {
    content: content.data,
    usage: {
      model: plainLine(model ?? "", 100) || (env().OPENAI_MODEL ?? ""),
      input_tokens: usage?.prompt_tokens ?? 0,
      output_tokens: usage?.completion_tokens ?? 0,
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function moderationOf({ content, usage }: Completed<z.infer<typeof Moderation>>): RemoteOpinion {
  return {
    labels: moderationLabels.map((name) => ({ name, score: content[name] })),
    reason: plainLine(content.reason, 200),
    usage,
  };
}

function answerOf({ content, usage }: Completed<z.infer<typeof Answer>>): RemoteOpinion {
  const { answer, confidence } = content;
  const said = plainLine(content.reason, 200);
  // A guess is no opinion.
  if (answer === "unsure" || confidence === 0) return { labels: [], reason: said, usage };
  const score = answer === "no" ? 0.5 + confidence / 2 : 0.5 - confidence / 2;
  return { labels: [{ name: "no", score }], wouldReject: answer === "no", reason: said, usage };
}
