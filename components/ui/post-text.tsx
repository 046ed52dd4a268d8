import { cn } from "./cn.ts";

export interface PostTextProps {
  /** `content` of a Post, sanitised by the server. The only foreign HTML of the page. */
  html: string;
  /** BCP 47 language of the post. */
  lang?: string | null;
  className?: string;
}

/** A post's text: 16 px, at most 65 characters per line, in its own language and direction. */
export function PostText({ html, lang, className }: PostTextProps) {
  return (
    <div
      dir="auto"
      lang={lang ?? undefined}
      className={cn("post-text", className)}
      // The server sanitises on intake, and the content security policy forbids scripts without its nonce.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
