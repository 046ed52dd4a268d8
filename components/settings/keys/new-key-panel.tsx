"use client";
import { Check } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { CodeBlock, CopyField } from "#components/ui/copy.tsx";
import { Link } from "#components/ui/link.tsx";
import type { GeneratedKey } from "#lib/accounts/key-schema.ts";
import { curlLines } from "./curl-lines.ts";
import { useAddress } from "./use-address.ts";

export function NewKeyPanel({
  made,
  publicUrl,
  onClose,
}: {
  made: GeneratedKey;
  publicUrl: string;
  onClose: () => void;
}) {
  const address = useAddress(publicUrl);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const curl = curlLines(address, made.api_key, made.scopes);
  return (
    <div
      ref={place}
      tabIndex={-1}
      role="region"
      aria-label={`${made.name} is ready`}
      className="rounded-lg focus-visible:outline-none"
    >
      <Panel
        title={`${made.name} is ready`}
        actions={
          <Button variant="primary" icon={<Check aria-hidden />} onClick={onClose}>
            I have stored it
          </Button>
        }
        className="border-accent"
      >
        <CopyField
          label="API key"
          value={made.api_key}
          hint="Shown only once. Store it with your program's secrets."
          className="max-w-3xl"
        />
        <h3 className="mt-6 mb-2 text-14 font-semibold">Try it</h3>
        <CodeBlock label="curl" code={curl} />
        {made.scopes.includes("consume") ? (
          <p className="mt-3 text-13 text-muted">
            <Link href="#connect">How boost bots connect</Link>
          </p>
        ) : null}
      </Panel>
    </div>
  );
}
