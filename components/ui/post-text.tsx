import { cn } from "./cn.ts";

export interface PostTextProps {
  /** `content` of a Post: sanitised by the server, the only HTML this page takes from outside. */
  html: string;
  /** BCP 47, as the source gave it. */
  lang?: string | null;
  className?: string;
}

/** A post's text: 16 px, at most 65 characters a line, in its own language and direction. */
export function PostText({ html, lang, className }: PostTextProps) {
  return (
    <div
      dir="auto"
      lang={lang ?? undefined}
      className={cn("post-text", className)}
      // The server sanitises at fetch and the content policy forbids scripts without its nonce.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
