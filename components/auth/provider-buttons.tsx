"use client";
import { useState, type SubmitEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import { sendSignIn } from "#lib/client/sign-in.ts";
import { errorWords } from "./error-words.ts";

export interface ProviderButtonsProps {
  providers: readonly { id: string; name: string }[];
  callbackUrl: string;
}

/** By script, because the content security policy allows forms to this origin only, redirects included. */
export function ProviderButtons({ providers, callbackUrl }: ProviderButtonsProps) {
  const [going, setGoing] = useState<string>();
  const [refused, setRefused] = useState<string>();
  if (providers.length === 0) return null;

  async function go(event: SubmitEvent<HTMLFormElement>, id: string) {
    event.preventDefault();
    if (going !== undefined) return;
    setGoing(id);
    setRefused(undefined);
    const outcome = await sendSignIn(`signin/${id}`, { callbackUrl });
    if ("to" in outcome) {
      window.location.assign(outcome.to);
      return;
    }
    setGoing(undefined);
    setRefused(outcome.refused);
  }

  return (
    <div className="mt-5 flex flex-col gap-3">
      <p className="flex items-center gap-3 text-12 text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {refused === undefined ? null : <Notice tone="reject">{errorWords(refused)}</Notice>}
      {providers.map(({ id, name }) => (
        <form
          key={id}
          method="post"
          action={`/api/auth/signin/${id}`}
          onSubmit={(event) => void go(event, id)}
        >
          <input type="hidden" name="callbackUrl" value={callbackUrl} />
          <Button type="submit" size="touch" className="w-full" pending={going === id}>
            Sign in with {name}
          </Button>
        </form>
      ))}
    </div>
  );
}
