"use client";
import { Download } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import type { Stream } from "#lib/collect/stream-schema.ts";
import { useFetchStream } from "./use-fetch-stream.ts";

export function FetchButton({ stream, size = "sm" }: { stream: Stream; size?: "sm" | "md" }) {
  const { run, pending } = useFetchStream();
  return (
    <Button
      size={size}
      icon={<Download aria-hidden />}
      pending={pending}
      disabled={!stream.active}
      onClick={() => void run(stream)}
    >
      {pending ? "Fetching" : "Fetch now"}
    </Button>
  );
}
