import { z } from "zod";
import { env } from "#lib/base/env.ts";
import { cutCodePoints } from "#lib/fediverse/post-text.ts";
import { labels, messagesFor, SECOND_TRY, type RemoteInput } from "./chat-prompt.ts";
import { RemoteFailure } from "./remote-failure.ts";

const Score = z.number().min(0).max(1);

const Answer = z.strictObject({
  ...(Object.fromEntries(labels.map((name) => [name, Score])) as Record<
    (typeof labels)[number],
    typeof Score
  >),
  /** A longer one is cut, not refused. */
  reason: z.string().max(10_000),
});

const Completion = z.object({
  model: z.string().optional(),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

export interface ChatAnswer {
  /** 0–1. */
  labels: Record<(typeof labels)[number], number>;
  /** At most 200 characters of plain text. */
  reason: string;
  model: string;
}

/**
 * Asks a chat endpoint with structured output (OpenAI, Ollama, vLLM, LM Studio, llama.cpp). One retry when the answer has
 * another form.
 *
 * @param send sends a body and returns the JSON answer; each call counts against the daily limit
 * @throws RemoteFailure `nonsense` when the answer has another form, and those of `send`
 */
export async function askChatModel(
  input: RemoteInput,
  send: (body: object) => Promise<unknown>,
): Promise<ChatAnswer> {
  const messages = messagesFor(input);
  const answer = read(await send(bodyFor(messages))) ?? read(await send(bodyFor([...messages, SECOND_TRY])));
  if (answer === null) throw new RemoteFailure("nonsense", "The model did not answer in the requested form.");
  return answer;
}

function bodyFor(messages: object[]): object {
  return {
    model: env().AI_MODEL,
    temperature: 0,
    messages,
    response_format: {
      type: "json_schema",
      json_schema: { name: "post_check", strict: true, schema: jsonSchema() },
    },
  };
}

/** Without limits of strings, which strict modes refuse. */
function jsonSchema(): object {
  const { $schema: _, ...rest } = z.toJSONSchema(Answer, {
    override: ({ jsonSchema: part }) => {
      delete part.maxLength;
    },
  });
  return rest;
}

function read(json: unknown): ChatAnswer | null {
  const completion = Completion.safeParse(json);
  if (!completion.success) return null;
  const { model = "", choices } = completion.data;
  const answer = Answer.safeParse(parsed(choices[0]?.message.content ?? ""));
  if (!answer.success) return null;
  const { reason, ...scores } = answer.data;
  return {
    labels: scores,
    reason: plainLine(reason, 200),
    model: plainLine(model, 100) || (env().AI_MODEL ?? ""),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Control characters, and those that change the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** One line without control characters, at most `max` code points. */
export function plainLine(text: string, max: number): string {
  const line = text.toWellFormed().replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();
  return cutCodePoints(line, max).trim();
}
