//! Token kinds.

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the punctuation speaks for itself
pub enum Tok {
    /// End of the source.
    Eof,
    /// Bytes that are no token.
    Error,
    /// A bare identifier or keyword: `arith.addi`, `to`, `x4xf32`.
    Bare,
    /// `@name` or `@"name"`
    At,
    /// `#name`
    Hash,
    /// `!name`
    Exclaim,
    /// `%name`
    Percent,
    /// `^name`
    Caret,
    /// `12` or `0x1F`, without sign.
    Integer,
    /// `1.5e3`, without sign.
    Float,
    /// `"text"`, escapes not yet undone.
    String,
    Arrow,
    Colon,
    Comma,
    Equal,
    Less,
    Greater,
    LBrace,
    RBrace,
    LParen,
    RParen,
    LSquare,
    RSquare,
    Question,
    Star,
    Plus,
    Minus,
    Slash,
    Bar,
    Ellipsis,
    /// `{-#`
    MetadataBegin,
    /// `#-}`
    MetadataEnd,
}

/// Reason why bytes are no token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // `why` says what each stands for
pub(crate) enum NoToken {
    Character,
    Ellipsis,
    Value,
    Block,
    Type,
    Attribute,
    Symbol,
    OpenString,
    OpenComment,
    Escape,
}

impl NoToken {
    /// Spells the reason.
    pub(crate) fn why(self) -> &'static str {
        match self {
            NoToken::Character => "unexpected character",
            NoToken::Ellipsis => "expected three consecutive dots for an ellipsis",
            NoToken::Value => "invalid SSA name",
            NoToken::Block => "invalid block name",
            NoToken::Type => "invalid type identifier",
            NoToken::Attribute => "invalid attribute name",
            NoToken::Symbol => "@ identifier expected to start with letter or '_'",
            NoToken::OpenString => "expected '\"' in string literal: it is not closed on its line",
            NoToken::OpenComment => "the comment is not closed",
            NoToken::Escape => {
                "unknown escape in string literal; known are `\\\"`, `\\\\`, `\\n`, `\\t` and two \
                 hexadecimal digits"
            }
        }
    }
}

impl Tok {
    /// Spells the kind in diagnostics.
    pub fn describe(self) -> &'static str {
        match self {
            Tok::Eof => "the end of the input",
            Tok::Error => "a token",
            Tok::Bare => "a keyword",
            Tok::At => "a symbol name such as `@name`",
            Tok::Hash => "an attribute alias such as `#name`",
            Tok::Exclaim => "a type alias such as `!name`",
            Tok::Percent => "SSA operand such as `%name`",
            Tok::Caret => "block name such as `^bb0`",
            Tok::Integer => "an integer",
            Tok::Float => "a number",
            Tok::String => "a string",
            Tok::Arrow => "'->'",
            Tok::Colon => "':'",
            Tok::Comma => "','",
            Tok::Equal => "'='",
            Tok::Less => "'<'",
            Tok::Greater => "'>'",
            Tok::LBrace => "'{'",
            Tok::RBrace => "'}'",
            Tok::LParen => "'('",
            Tok::RParen => "')'",
            Tok::LSquare => "'['",
            Tok::RSquare => "']'",
            Tok::Question => "'?'",
            Tok::Star => "'*'",
            Tok::Plus => "'+'",
            Tok::Minus => "'-'",
            Tok::Slash => "'/'",
            Tok::Bar => "'|'",
            Tok::Ellipsis => "'...'",
            Tok::MetadataBegin => "'{-#'",
            Tok::MetadataEnd => "'#-}'",
        }
    }

    /// Returns the punctuation spelled `text`, if there is one.
    pub fn punctuation(text: &str) -> Option<Tok> {
        Some(match text {
            "->" => Tok::Arrow,
            ":" => Tok::Colon,
            "," => Tok::Comma,
            "=" => Tok::Equal,
            "<" => Tok::Less,
            ">" => Tok::Greater,
            "{" => Tok::LBrace,
            "}" => Tok::RBrace,
            "(" => Tok::LParen,
            ")" => Tok::RParen,
            "[" => Tok::LSquare,
            "]" => Tok::RSquare,
            "?" => Tok::Question,
            "*" => Tok::Star,
            "+" => Tok::Plus,
            "-" => Tok::Minus,
            "/" => Tok::Slash,
            "|" => Tok::Bar,
            "..." => Tok::Ellipsis,
            _ => return None,
        })
    }
}
