"use client";
import { useState } from "react";
import type { ApiKey, GeneratedKey } from "#lib/accounts/key-schema.ts";
import type { NamedStream, ScopeName } from "./key-facts.ts";
import { KeyTable } from "./key-table.tsx";
import { NewKeyPanel } from "./new-key-panel.tsx";

export interface KeysBoardProps {
  keys: ApiKey[];
  streams: NamedStream[];
  scopes: ScopeName[];
  publicUrl: string;
}

export function KeysBoard({ keys, streams, scopes, publicUrl }: KeysBoardProps) {
  const [fresh, setFresh] = useState<GeneratedKey>();
  return (
    <>
      {fresh ? (
        <NewKeyPanel key={fresh.id} made={fresh} publicUrl={publicUrl} onClose={() => setFresh(undefined)} />
      ) : null}
      <KeyTable keys={keys} streams={streams} scopes={scopes} onGenerated={setFresh} />
    </>
  );
}
