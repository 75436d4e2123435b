//! What `cargo xtask web` is asked for.

use anyhow::{Context as _, Result, bail};

const USAGE: &str = "\
usage: cargo xtask web [--serve [--port PORT] [--host HOST]]

  --serve       show the page when it is built
  --port PORT   on this port, 8080 unless said otherwise; 0 lets the system choose
  --host HOST   on this address, 127.0.0.1 unless said otherwise; 0.0.0.0 lets phones in the same network see it";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) serve: Option<Address>,
}

/// Where the page is served.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) port: u16,
    pub(super) host: String,
}

impl Options {
    pub(super) fn parse(arguments: &[String]) -> Result<Self> {
        let mut serve = false;
        let mut port = None;
        let mut host = None;
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let (name, given) = match argument.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (argument.as_str(), None),
            };
            let mut value = || {
                given
                    .or_else(|| rest.next().map(String::as_str))
                    .with_context(|| format!("{name} needs a value\n\n{USAGE}"))
            };
            match name {
                "--serve" if given.is_none() => serve = true,
                "--port" => {
                    let text = value()?;
                    let number = text.parse::<u16>();
                    port = Some(
                        number.with_context(|| format!("--port {text}: give a number from 0 to 65535"))?,
                    );
                }
                "--host" => host = Some(value()?.to_owned()),
                _ => bail!("\"{argument}\" is not known here\n\n{USAGE}"),
            }
        }
        if !serve && (port.is_some() || host.is_some()) {
            bail!("--port and --host say where the page is served; add --serve\n\n{USAGE}");
        }
        let address =
            Address { port: port.unwrap_or(8080), host: host.unwrap_or_else(|| "127.0.0.1".to_owned()) };
        Ok(Self { serve: serve.then_some(address) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options> {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_are_read_in_both_spellings() {
        let at = |port, host: &str| Options { serve: Some(Address { port, host: host.to_owned() }) };
        for (text, expected) in [
            ("", Options { serve: None }),
            ("--serve", at(8080, "127.0.0.1")),
            ("--serve --port 9000", at(9000, "127.0.0.1")),
            ("--port=0 --host=0.0.0.0 --serve", at(0, "0.0.0.0")),
            ("--host ::1 --serve", at(8080, "::1")),
        ] {
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn errors_say_what_was_expected() {
        for (text, expected) in [
            ("--serve --port 70000", "from 0 to 65535"),
            ("--serve --port", "--port needs a value"),
            ("--port 80", "add --serve"),
            ("--serve=yes", "\"--serve=yes\" is not known"),
            ("serve", "usage: cargo xtask web"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
