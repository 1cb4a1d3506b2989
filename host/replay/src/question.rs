//! What can be asked: forms and their fields, pages to visit.

use std::collections::HashSet;

/// A question to the user.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// A form to fill in.
    Form {
        /// What is asked, and why.
        message: String,
        /// The fields, in the order in which the user sees them.
        fields: Vec<Field>,
    },
    /// A page to visit.
    Url {
        /// Why the user should go there.
        message: String,
        /// Where to.
        url: String,
    },
}

/// One field of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name in the answer, unique in its form.
    pub name: String,
    /// What the user sees as its name.
    pub title: Option<String>,
    /// What the user should know to fill it in.
    pub description: Option<String>,
    /// Whether an answer must hold it.
    pub required: bool,
    /// What it asks for.
    pub kind: FieldKind,
}

/// What a field asks for. Bounds include their limit; a default is what the form shows at first.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// A line of text.
    Text {
        /// The least number of characters.
        min_length: Option<u32>,
        /// The greatest number of characters.
        max_length: Option<u32>,
        /// What it must look like.
        format: Option<TextFormat>,
        /// What the form shows at first.
        default: Option<String>,
    },
    /// A whole number.
    Integer {
        /// The least value.
        minimum: Option<i64>,
        /// The greatest value.
        maximum: Option<i64>,
        /// What the form shows at first.
        default: Option<i64>,
    },
    /// A number.
    Number {
        /// The least value.
        minimum: Option<f64>,
        /// The greatest value.
        maximum: Option<f64>,
        /// What the form shows at first.
        default: Option<f64>,
    },
    /// Yes or no.
    Boolean {
        /// What the form shows at first.
        default: Option<bool>,
    },
    /// One out of several.
    SingleChoice {
        /// What there is to choose from.
        choices: Vec<Choice>,
        /// The value that the form shows at first.
        default: Option<String>,
    },
    /// Any number out of several.
    MultipleChoice {
        /// What there is to choose from.
        choices: Vec<Choice>,
        /// The least number of values.
        min_items: Option<u32>,
        /// The greatest number of values.
        max_items: Option<u32>,
        /// The values that the form shows at first.
        default: Option<Vec<String>>,
    },
}

/// What a text must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextFormat {
    /// An email address.
    Email,
    /// An absolute URI.
    Uri,
    /// A date (RFC 3339).
    Date,
    /// A date and time with its offset (RFC 3339).
    DateTime,
}

/// One of the values to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What the answer holds.
    pub value: String,
    /// What the user sees, where that differs.
    pub title: Option<String>,
}

/// A question that can't be put to a user: the handler's mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadQuestion {
    /// Two requests of one conversation have the same key.
    #[error("key \"{0}\" is used twice in this conversation; give each request a key of its own")]
    KeyTaken(String),
    /// A key is empty.
    #[error("a question's key is empty; leave it out or give it a name")]
    EmptyKey,
    /// Several questions were to be asked at once, and there is none.
    #[error("no question was given; ask at least one")]
    Nothing,
    /// A field is not well formed.
    #[error("form field \"{name}\": {what}")]
    Field {
        /// The field's name.
        name: String,
        /// What is wrong with it, and what was expected.
        what: String,
    },
    /// The params of a sampling request are no JSON object.
    #[error("the params of a sampling request are not a JSON object: {0}")]
    Sampling(String),
    /// A page's address is not one.
    #[error("question URL \"{0}\" is not an absolute http or https URL")]
    Url(String),
}

impl Question {
    /// Checks that the question can be put to a user and that an answer to it can exist.
    ///
    /// # Errors
    ///
    /// The first thing found wrong.
    pub fn check(&self) -> Result<(), BadQuestion> {
        match self {
            Self::Form { fields, .. } => {
                let mut names = HashSet::new();
                fields.iter().try_for_each(|field| {
                    let fault = if field.name.is_empty() {
                        Some("its name is empty".to_owned())
                    } else if names.insert(field.name.as_str()) {
                        field.kind.fault()
                    } else {
                        Some("the form has two fields of this name".to_owned())
                    };
                    fault.map_or(Ok(()), |what| Err(BadQuestion::Field { name: field.name.clone(), what }))
                })
            }
            Self::Url { url, .. } => {
                let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
                let absolute = rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
                if absolute && fluent_uri::Uri::parse(url.as_str()).is_ok() {
                    Ok(())
                } else {
                    Err(BadQuestion::Url(url.clone()))
                }
            }
        }
    }
}

impl FieldKind {
    /// What is wrong with the field, if anything.
    fn fault(&self) -> Option<String> {
        match self {
            Self::Text { min_length, max_length, .. } => {
                out_of_order("length", min_length.as_ref(), max_length.as_ref())
            }
            Self::Integer { minimum, maximum, default } => {
                bounds_fault(minimum.as_ref(), maximum.as_ref(), default.as_ref())
            }
            Self::Number { minimum, maximum, default } => {
                if [minimum, maximum, default].into_iter().flatten().all(|number| number.is_finite()) {
                    bounds_fault(minimum.as_ref(), maximum.as_ref(), default.as_ref())
                } else {
                    Some("its bounds and default must be finite numbers".to_owned())
                }
            }
            Self::Boolean { .. } => None,
            Self::SingleChoice { choices, default } => choices_fault(choices, default.as_slice()),
            Self::MultipleChoice { choices, min_items, max_items, default } => {
                choices_fault(choices, default.as_deref().unwrap_or_default())
                    .or_else(|| out_of_order("number of items", min_items.as_ref(), max_items.as_ref()))
                    .or_else(|| {
                        let needed = usize::try_from((*min_items)?).unwrap_or(usize::MAX);
                        (needed > choices.len())
                            .then(|| format!("it wants {needed} items, and there are {} to choose from", choices.len()))
                    })
            }
        }
    }
}

fn out_of_order<T: PartialOrd + std::fmt::Display>(what: &str, least: Option<&T>, most: Option<&T>) -> Option<String> {
    let (least, most) = (least?, most?);
    (least > most).then(|| format!("its least {what}, {least}, is greater than the greatest, {most}"))
}

fn bounds_fault<T: PartialOrd + std::fmt::Display>(
    minimum: Option<&T>,
    maximum: Option<&T>,
    default: Option<&T>,
) -> Option<String> {
    out_of_order("value", minimum, maximum).or_else(|| {
        let default = default?;
        let outside = minimum.is_some_and(|least| default < least) || maximum.is_some_and(|most| default > most);
        outside.then(|| format!("its default, {default}, is out of its bounds"))
    })
}

fn choices_fault(choices: &[Choice], defaults: &[String]) -> Option<String> {
    if choices.is_empty() {
        return Some("it has nothing to choose from".to_owned());
    }
    let mut values = HashSet::new();
    if let Some(twice) = choices.iter().find(|choice| !values.insert(choice.value.as_str())) {
        return Some(format!("the choice \"{}\" is there twice", twice.value));
    }
    let stranger = defaults.iter().find(|default| !values.contains(default.as_str()))?;
    Some(format!("its default, \"{stranger}\", is none of its choices"))
}
