//! What the protocol still carries though it is deprecated: completions by the client's model, and its roots.
//!
//! **Deprecated.** New handlers ask users through [`Context::elicit`] and its siblings, call a model by themselves, and take
//! folders as arguments. This module goes when the protocol drops them.
//!
//! ```no_run
//! use dacapo_guest::deprecated::{ListRoots, Sampling};
//! use dacapo_guest::prelude::*;
//!
//! #[derive(Form)]
//! struct Name { name: String }
//!
//! # fn run(ctx: &Context) -> Result<()> {
//! let (name, capital, roots) = ctx.request_inputs((
//!     Ask::<Name>::form("Who are you?").key("name"),
//!     Sampling::new(100).user("What is the capital of France?").key("capital"),
//!     ListRoots::new(),
//! ));
//! let capital = capital?.text();
//! # Ok(()) }
//! ```
//!
//! # Layout
//!
//! - [`Input`], [`Inputs`] and [`Context::request_inputs`], here
//! - [`Sampling`] and [`Sampled`], in `sampling.rs`
//! - [`ListRoots`] and [`Root`], in `roots.rs`

mod roots;
mod sampling;

pub use roots::{ListRoots, Root};
pub use sampling::{Sampled, Sampling, SamplingError};

use crate::ask::Ask;
use crate::bindings::dacapo::handler::inputs as wit;
use crate::context::Context;
use crate::imports;
use crate::reply::Reply;

impl Context {
    /// **Deprecated** (see [`deprecated`](crate::deprecated)). Asks the client for several inputs in one round trip: a tuple
    /// of one to six [`Ask`]s, [`Sampling`]s and [`ListRoots`], in any mixture. The responses come in the same order.
    ///
    /// The instance may end here (see [Questions](Context#questions)). A client that has not declared what is asked for ends
    /// the call with the protocol's error.
    #[must_use = "it is why the client was asked"]
    pub fn request_inputs<I: Inputs>(&self, inputs: I) -> I::Responses {
        inputs.request(imports::request_inputs)
    }
}

/// Something that a client can be asked for.
#[diagnostic::on_unimplemented(
    message = "a client can't be asked for `{Self}`",
    label = "expected an `Ask`, a `Sampling` or a `ListRoots`"
)]
pub trait Input {
    /// What the client sends.
    type Response;

    #[doc(hidden)]
    fn request(&self) -> wit::KeyedRequest;

    #[doc(hidden)]
    fn response(self, response: Option<wit::InputResponse>) -> Self::Response;
}

/// A host that answers another request than was made is broken, and a trap says so.
#[expect(clippy::panic, reason = "the host has checked the response")]
fn broken(asked: &str) -> ! {
    panic!("the host gave no response to {asked}")
}

impl<T> Input for Ask<T> {
    type Response = Reply<T>;

    fn request(&self) -> wit::KeyedRequest {
        let question = self.question().clone();
        wit::KeyedRequest { key: question.key, request: wit::InputRequest::Elicit(question.question) }
    }

    fn response(self, response: Option<wit::InputResponse>) -> Reply<T> {
        match response {
            Some(wit::InputResponse::Elicited(reply)) => self.reply(reply),
            _ => broken("a question"),
        }
    }
}

/// Several inputs: a tuple of one to six.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of inputs",
    label = "expected a tuple of one to six `Ask`s, `Sampling`s or `ListRoots`"
)]
pub trait Inputs {
    /// A response for each, in the same order.
    type Responses;

    #[doc(hidden)]
    fn request(self, send: impl FnOnce(&[wit::KeyedRequest]) -> Vec<wit::InputResponse>) -> Self::Responses;
}

macro_rules! tuples {
    ($(($($name:ident: $type:ident),+);)+) => {$(
        impl<$($type: Input),+> Inputs for ($($type,)+) {
            type Responses = ($($type::Response,)+);

            fn request(self, send: impl FnOnce(&[wit::KeyedRequest]) -> Vec<wit::InputResponse>) -> Self::Responses {
                let ($($name,)+) = self;
                let mut responses = send(&[$($name.request()),+]).into_iter();
                ($($name.response(responses.next()),)+)
            }
        }
    )+};
}

tuples! {
    (first: A);
    (first: A, second: B);
    (first: A, second: B, third: C);
    (first: A, second: B, third: C, fourth: D);
    (first: A, second: B, third: C, fourth: D, fifth: E);
    (first: A, second: B, third: C, fourth: D, fifth: E, sixth: F);
}
