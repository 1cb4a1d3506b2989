//! What a handler can ask of its client, and which of it a client takes.

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value as Json};

use crate::question::{BadQuestion, Question};
use crate::reply::ResponseKind;

/// A request, with the name under which the client sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The author's key, unique in the conversation; `elicit-<N>` when there is none.
    pub key: Option<String>,
    /// The request.
    pub request: Request,
}

/// Something that only the client can give.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// An answer of its user.
    Elicit(Question),
    /// A message by its model: the params of `sampling/createMessage`. The protocol deprecates it.
    Sample(Map<String, Json>),
    /// Its roots. The protocol deprecates it.
    ListRoots,
}

/// A request as the client sees it: JSON.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct RequestJson(Box<RawValue>);

impl RequestJson {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.get()
    }
}

impl PartialEq for RequestJson {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text()
    }
}

/// Which requests a client takes. A token holds them in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a capability of its own")]
pub struct Askable {
    /// Questions with a form.
    pub form: bool,
    /// Questions with a page to visit.
    pub url: bool,
    /// Sampling.
    pub sampling: bool,
    /// Sampling with tools.
    pub sampling_tools: bool,
    /// Roots.
    pub roots: bool,
}

impl Askable {
    /// What is needed beyond what is there.
    #[must_use]
    pub fn lacks(self, needed: Self) -> Self {
        Self {
            form: needed.form && !self.form,
            url: needed.url && !self.url,
            sampling: needed.sampling && !self.sampling,
            sampling_tools: needed.sampling_tools && !self.sampling_tools,
            roots: needed.roots && !self.roots,
        }
    }

    /// What either has.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            form: self.form || other.form,
            url: self.url || other.url,
            sampling: self.sampling || other.sampling,
            sampling_tools: self.sampling_tools || other.sampling_tools,
            roots: self.roots || other.roots,
        }
    }
}

impl Request {
    /// Checks that the request can be made and that a response to it can exist.
    ///
    /// # Errors
    ///
    /// The first thing found wrong.
    pub fn check(&self) -> Result<(), BadQuestion> {
        match self {
            Self::Elicit(question) => question.check(),
            Self::Sample(_) | Self::ListRoots => Ok(()),
        }
    }

    /// The request as the client sees it, which is the same text for the same request.
    ///
    /// # Errors
    ///
    /// None that is known: all that can be asked can be written.
    pub fn json(&self) -> Result<RequestJson, serde_json::Error> {
        to_raw_value(self).map(RequestJson)
    }

    /// What a client must take to be asked this.
    #[must_use]
    pub fn needs(&self) -> Askable {
        let none = Askable::default();
        match self {
            Self::Elicit(Question::Form { .. }) => Askable { form: true, ..none },
            Self::Elicit(Question::Url { .. }) => Askable { url: true, ..none },
            Self::Sample(params) => {
                let tools = params.contains_key("tools") || params.contains_key("toolChoice");
                Askable { sampling: true, sampling_tools: tools, ..none }
            }
            Self::ListRoots => Askable { roots: true, ..none },
        }
    }

    /// What a response must be.
    #[must_use]
    pub fn response_kind(&self) -> ResponseKind {
        match self {
            Self::Elicit(_) => ResponseKind::Elicit,
            Self::Sample(_) => ResponseKind::Sample,
            Self::ListRoots => ResponseKind::Roots,
        }
    }
}

/// As the protocol writes it: method and params.
impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut request = serializer.serialize_struct("InputRequest", 2)?;
        request.serialize_field("method", self.response_kind().method())?;
        match self {
            Self::Elicit(question) => request.serialize_field("params", question)?,
            Self::Sample(params) => request.serialize_field("params", params)?,
            Self::ListRoots => request.serialize_field("params", &Map::new())?,
        }
        request.end()
    }
}
