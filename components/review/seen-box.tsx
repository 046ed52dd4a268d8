"use client";
import { SeenBefore, type SeenBeforeProps } from "#components/post/seen-before.tsx";
import { cn } from "#components/ui/cn.ts";
import { words } from "#components/words/en.ts";
import { FactBox } from "./fact-box.tsx";

export function SeenBox({ place, ...rest }: SeenBeforeProps & { place: "side" | "under" }) {
  return (
    <div
      className={cn(place === "side" ? "max-wide:hidden" : "rounded-md border border-line p-3 wide:hidden")}
    >
      <FactBox title={words.seenBefore.title}>
        <SeenBefore {...rest} />
      </FactBox>
    </div>
  );
}
