import { Fragment, type ReactNode } from "react";

/** Paragraphs, `code` and **bold** only. */
export function Markdown({ text }: { text: string }) {
  return text.split(/\n{2,}/).map((paragraph, index) => (
    <p key={index}>
      <InlineMarkdown text={paragraph} />
    </p>
  ));
}

export function InlineMarkdown({ text }: { text: string }): ReactNode {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => {
    if (part.startsWith("`")) {
      return (
        <code key={index} className="rounded-sm bg-wash px-1 font-mono text-12 wrap-anywhere">
          {part.slice(1, -1)}
        </code>
      );
    }
    if (part.startsWith("**")) return <strong key={index}>{part.slice(2, -2)}</strong>;
    return <Fragment key={index}>{part}</Fragment>;
  });
}
