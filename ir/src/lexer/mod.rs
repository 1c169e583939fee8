//! Lexer: bytes to tokens, one at a time.
//!
//! It never allocates: a token is its kind and its range of bytes, and callers borrow its text from
//! the source.

mod token;

pub(crate) use token::NoToken;
pub use token::Tok;

/// A token: its kind and its bytes `start..end` of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind.
    pub kind: Tok,
    /// Offset of the token's first byte.
    pub start: u32,
    /// Offset of the byte after the token.
    pub end: u32,
}

/// Lexer state: a cursor over a source.
#[derive(Clone, Debug)]
pub struct Lexer<'s> {
    bytes: &'s [u8],
    pos: usize,
    /// The reason of the last [`Tok::Error`].
    pub(crate) no_token: NoToken,
    /// Whether to lex as the older eras do: `/* … */` is a blank, and `@` takes any suffix
    /// identifier.
    pub(crate) legacy: bool,
}

/// Returns the length of the token that starts at byte `at`, at least 1; that of a character where
/// no token starts.
pub(crate) fn token_len(bytes: &[u8], at: u32) -> u32 {
    let mut lexer = Lexer::new(bytes);
    lexer.seek(at);
    let token = lexer.next();
    if token.start == at {
        (token.end - at).max(1)
    } else {
        1
    }
}

/// Returns the length of a suffix identifier, the name of a value or block after its sigil.
pub(crate) fn suffix_len(bytes: &[u8]) -> usize {
    let class_at = |at: usize| bytes.get(at).map_or(0, |&b| CLASS[usize::from(b)]);
    let inside = match class_at(0) & DIGIT {
        0 => SUFFIX,
        _ => DIGIT,
    };
    let mut len = 0;
    while class_at(len) & inside != 0 {
        len += 1;
    }
    len
}

const BARE: u8 = 1;
const SUFFIX: u8 = 2;
const DIGIT: u8 = 4;
const SPACE: u8 = 8;
const BARE_START: u8 = 16;
const HEX: u8 = 32;
/// Class of bytes that are a token alone, whatever follows.
const ALONE: u8 = 64;

/// Classes of each byte.
static CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut byte = 0usize;
    while byte < 256 {
        let b = byte as u8;
        let mut class = 0;
        if b.is_ascii_alphabetic() || b == b'_' {
            class |= BARE | BARE_START | SUFFIX;
        }
        if b.is_ascii_digit() {
            class |= BARE | DIGIT | SUFFIX;
        }
        if b == b'$' || b == b'.' {
            class |= BARE | SUFFIX;
        }
        if b == b'-' {
            class |= SUFFIX;
        }
        if b.is_ascii_hexdigit() {
            class |= HEX;
        }
        if matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0) {
            class |= SPACE;
        }
        if matches!(
            b,
            b':' | b',' | b'=' | b'<' | b'>' | b'}' | b'(' | b')' | b'[' | b']'
        ) || matches!(b, b'?' | b'*' | b'+' | b'|')
        {
            class |= ALONE;
        }
        table[byte] = class;
        byte += 1;
    }
    table
};

impl<'s> Lexer<'s> {
    pub(crate) fn new(bytes: &'s [u8]) -> Self {
        Lexer {
            bytes,
            pos: 0,
            no_token: NoToken::Character,
            legacy: false,
        }
    }

    /// Continues at byte `pos`.
    pub(crate) fn seek(&mut self, pos: u32) {
        self.pos = (pos as usize).min(self.bytes.len());
    }

    fn peek(&self, ahead: usize) -> u8 {
        // Zero stands for "past the end": no token continues with a zero byte.
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn skip_class(&mut self, class: u8) {
        let mut pos = self.pos;
        while let Some(&byte) = self.bytes.get(pos)
            && CLASS[usize::from(byte)] & class != 0
        {
            pos += 1;
        }
        self.pos = pos;
    }

    fn skip_blank(&mut self) {
        loop {
            self.skip_class(SPACE);
            if self.peek(0) == b'/' && self.peek(1) == b'/' {
                while self.pos < self.bytes.len() && self.bytes[self.pos] != b'\n' {
                    self.pos += 1;
                }
            } else if self.legacy && self.peek(0) == b'/' && self.peek(1) == b'*' {
                let rest = &self.bytes[self.pos + 2..];
                match rest.windows(2).position(|pair| pair == b"*/") {
                    Some(at) => self.pos += at + 4,
                    None => return,
                }
            } else {
                return;
            }
        }
    }

    /// The next token.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Token {
        // Frequent tokens are lexed here, with the cursor in a register.
        let bytes = self.bytes;
        let class_at = |pos: usize| bytes.get(pos).map_or(0, |&b| CLASS[usize::from(b)]);
        let mut pos = self.pos;
        let mut class = class_at(pos);
        while class & SPACE != 0 {
            pos += 1;
            class = class_at(pos);
        }
        let start = pos;
        let (kind, inside) = if class & BARE_START != 0 {
            (Tok::Bare, BARE)
        } else if class & ALONE != 0 {
            self.pos = pos + 1;
            let (start, end) = (start as u32, self.pos as u32);
            let kind = ALONE_TOKENS[usize::from(bytes[pos])];
            return Token { kind, start, end };
        } else if bytes.get(pos) == Some(&b'%') {
            let class = class_at(pos + 1);
            if class & SUFFIX == 0 || class & DIGIT != 0 {
                return self.rare(pos);
            }
            (Tok::Percent, SUFFIX)
        } else if class & DIGIT != 0 {
            let mut end = pos + 1;
            while class_at(end) & DIGIT != 0 {
                end += 1;
            }
            if matches!(bytes.get(end), Some(b'.' | b'x')) {
                return self.rare(pos);
            }
            self.pos = end;
            let (start, end) = (start as u32, end as u32);
            let kind = Tok::Integer;
            return Token { kind, start, end };
        } else {
            return self.rare(pos);
        };
        pos += 1;
        while class_at(pos) & inside != 0 {
            pos += 1;
        }
        self.pos = pos;
        let (start, end) = (start as u32, pos as u32);
        Token { kind, start, end }
    }

    /// Lexes a token of any kind, from a position without blanks before it.
    #[inline(never)]
    fn rare(&mut self, pos: usize) -> Token {
        self.pos = pos;
        self.skip_blank();
        let start = self.pos;
        let kind = if start >= self.bytes.len() {
            Tok::Eof
        } else {
            self.token()
        };
        Token {
            kind,
            start: start as u32,
            end: self.pos as u32,
        }
    }

    fn token(&mut self) -> Tok {
        let first = self.peek(0);
        let class = CLASS[first as usize];
        if class & BARE_START != 0 {
            self.skip_class(BARE);
            return Tok::Bare;
        }
        if class & DIGIT != 0 {
            return self.number();
        }
        self.pos += 1;
        match first {
            b'%' => self.suffix_id(Tok::Percent, NoToken::Value),
            b'^' => self.suffix_id(Tok::Caret, NoToken::Block),
            b'!' => self.suffix_id(Tok::Exclaim, NoToken::Type),
            b'#' if self.peek(0) == b'-' && self.peek(1) == b'}' => {
                self.pos += 2;
                Tok::MetadataEnd
            }
            b'#' => self.suffix_id(Tok::Hash, NoToken::Attribute),
            b'@' => self.symbol(),
            b'"' => self.string(),
            b'-' if self.peek(0) == b'>' => {
                self.pos += 1;
                Tok::Arrow
            }
            b'/' if self.legacy && self.peek(0) == b'*' => {
                self.pos = self.bytes.len();
                self.error(NoToken::OpenComment)
            }
            b'{' if self.peek(0) == b'-' && self.peek(1) == b'#' => {
                self.pos += 2;
                Tok::MetadataBegin
            }
            b'.' if self.peek(0) == b'.' && self.peek(1) == b'.' => {
                self.pos += 2;
                Tok::Ellipsis
            }
            b'.' => self.error(NoToken::Ellipsis),
            0x80.. => {
                // Take the rest of the character, so that messages show it whole.
                while self.peek(0) & 0xC0 == 0x80 {
                    self.pos += 1;
                }
                self.error(NoToken::Character)
            }
            _ => match punctuation(first) {
                Tok::Error => self.error(NoToken::Character),
                token => token,
            },
        }
    }

    /// Records why there is no token.
    fn error(&mut self, why: NoToken) -> Tok {
        self.no_token = why;
        Tok::Error
    }

    fn number(&mut self) -> Tok {
        if self.peek(0) == b'0' && self.peek(1) == b'x' && CLASS[self.peek(2) as usize] & HEX != 0 {
            self.pos += 2;
            self.skip_class(HEX);
            return Tok::Integer;
        }
        self.skip_class(DIGIT);
        if self.peek(0) != b'.' {
            return Tok::Integer;
        }
        self.pos += 1;
        self.skip_class(DIGIT);
        if matches!(self.peek(0), b'e' | b'E') {
            let sign = usize::from(matches!(self.peek(1), b'+' | b'-'));
            if CLASS[self.peek(1 + sign) as usize] & DIGIT != 0 {
                self.pos += 1 + sign;
                self.skip_class(DIGIT);
            }
        }
        Tok::Float
    }

    /// Lexes a suffix identifier after its sigil: digits, or a letter or punctuation and then any
    /// of letters, digits and `$._-`.
    fn suffix_id(&mut self, kind: Tok, missing: NoToken) -> Tok {
        let len = suffix_len(self.bytes.get(self.pos..).unwrap_or(b""));
        if len == 0 {
            return self.error(missing);
        }
        self.pos += len;
        // The Rationale spells `%1_0`.
        if self.legacy && CLASS[self.peek(0) as usize] & BARE_START != 0 {
            self.skip_class(SUFFIX);
        }
        kind
    }

    fn symbol(&mut self) -> Tok {
        match self.peek(0) {
            b'"' => {
                self.pos += 1;
                match self.string() {
                    Tok::String => Tok::At,
                    error => error,
                }
            }
            b if CLASS[b as usize] & BARE_START != 0 && !self.legacy => {
                self.skip_class(BARE);
                Tok::At
            }
            _ if self.legacy => self.suffix_id(Tok::At, NoToken::Symbol),
            _ => self.error(NoToken::Symbol),
        }
    }

    /// Lexes a string after its opening quote.
    fn string(&mut self) -> Tok {
        loop {
            let byte = match self.bytes.get(self.pos) {
                None | Some(b'\n') => return self.error(NoToken::OpenString),
                Some(&byte) => byte,
            };
            self.pos += 1;
            match byte {
                b'"' => return Tok::String,
                b'\\' => match self.peek(0) {
                    b'"' | b'\\' | b'n' | b't' => self.pos += 1,
                    first
                        if CLASS[first as usize] & HEX != 0
                            && CLASS[self.peek(1) as usize] & HEX != 0 =>
                    {
                        self.pos += 2;
                    }
                    _ => {
                        return self.error(NoToken::Escape);
                    }
                },
                _ => {}
            }
        }
    }
}

/// Tokens of the bytes of class [`ALONE`].
static ALONE_TOKENS: [Tok; 256] = {
    let mut table = [Tok::Eof; 256];
    let mut byte = 0usize;
    while byte < 256 {
        table[byte] = punctuation(byte as u8);
        byte += 1;
    }
    table
};

const fn punctuation(byte: u8) -> Tok {
    match byte {
        b':' => Tok::Colon,
        b',' => Tok::Comma,
        b'=' => Tok::Equal,
        b'<' => Tok::Less,
        b'>' => Tok::Greater,
        b'{' => Tok::LBrace,
        b'}' => Tok::RBrace,
        b'(' => Tok::LParen,
        b')' => Tok::RParen,
        b'[' => Tok::LSquare,
        b']' => Tok::RSquare,
        b'?' => Tok::Question,
        b'*' => Tok::Star,
        b'+' => Tok::Plus,
        b'-' => Tok::Minus,
        b'/' => Tok::Slash,
        b'|' => Tok::Bar,
        _ => Tok::Error,
    }
}

/// Unescapes the inside of a string token.
pub fn unescape(inside: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if !inside.contains(&b'\\') {
        return inside.into();
    }
    let mut out = Vec::with_capacity(inside.len());
    let mut rest = inside.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        // The lexer has accepted only these escapes.
        match rest.next() {
            Some(b'n') => out.push(b'\n'),
            Some(b't') => out.push(b'\t'),
            Some(quoted @ (b'"' | b'\\')) => out.push(quoted),
            Some(high) => out.push(hex_value(high) << 4 | rest.next().map_or(0, hex_value)),
            None => {}
        }
    }
    out.into()
}

/// Returns the value of a hexadecimal digit.
pub(crate) fn hex_value(digit: u8) -> u8 {
    match digit {
        b'0'..=b'9' => digit - b'0',
        b'a'..=b'f' => digit - b'a' + 10,
        b'A'..=b'F' => digit - b'A' + 10,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Tok, &str)> {
        let mut lexer = Lexer::new(text.as_bytes());
        std::iter::from_fn(|| {
            let token = lexer.next();
            (token.kind != Tok::Eof)
                .then(|| (token.kind, &text[token.start as usize..token.end as usize]))
        })
        .collect()
    }

    #[test]
    fn tokens_of_an_operation() {
        assert_eq!(
            kinds("%0:2 = \"a.b\"(%x#1) // c\n : -> 0x1F 1.5e-3 @\"s\"::@t"),
            [
                (Tok::Percent, "%0"),
                (Tok::Colon, ":"),
                (Tok::Integer, "2"),
                (Tok::Equal, "="),
                (Tok::String, "\"a.b\""),
                (Tok::LParen, "("),
                (Tok::Percent, "%x"),
                (Tok::Hash, "#1"),
                (Tok::RParen, ")"),
                (Tok::Colon, ":"),
                (Tok::Arrow, "->"),
                (Tok::Integer, "0x1F"),
                (Tok::Float, "1.5e-3"),
                (Tok::At, "@\"s\""),
                (Tok::Colon, ":"),
                (Tok::Colon, ":"),
                (Tok::At, "@t"),
            ]
        );
    }

    #[test]
    fn what_is_no_token() {
        for text in [
            "%", "^ ", "!<", "@1", "\"abc", "\"a\nb\"", "\"\\q\"", "~", "\u{e9}",
        ] {
            assert_eq!(kinds(text)[0].0, Tok::Error, "{text}");
        }
    }

    #[test]
    fn escapes() {
        assert_eq!(&*unescape(br#"a\22\n\\\"\0A"#), b"a\"\n\\\"\n");
    }
}
