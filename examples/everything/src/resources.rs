//! Resources: a text, bytes, a question on the way, and a template whose variable has a type.

use dacapo_guest::prelude::*;

use crate::samples::PIXEL;

/// A text that stays as it is.
#[resource("test://static-text", title = "A text", mime_type = "text/plain")]
pub(crate) fn static_text() -> &'static str {
    "This is the content of the static text resource."
}

/// A picture that stays as it is.
#[resource("test://static-binary", title = "A picture", mime_type = "image/png")]
pub(crate) fn static_binary() -> Vec<u8> {
    PIXEL.to_vec()
}

/// A resource for clients to watch.
#[resource("test://watched-resource", mime_type = "text/plain")]
pub(crate) fn watched() -> &'static str {
    "This resource may be watched."
}

/// What the resource should know.
#[derive(Form)]
struct Topic {
    /// What the resource is to be about
    context: String,
}

/// A resource that asks its reader first.
// Lists are in the order of URIs, and the suite wants the first resource to be read without a question.
#[resource("test://topic-by-question", mime_type = "text/plain")]
pub(crate) fn with_question(ctx: &Context) -> Result<String> {
    let reply = ctx.elicit_as("user_context", "What is the resource to be about?");
    let Topic { context } = reply.accepted().ok_or_else(|| ToolError::new("The user did not say what it is about."))?;
    Ok(format!("This is about {context}."))
}

/// Which data.
#[derive(TemplateVariables)]
pub(crate) struct Data {
    id: u32,
}

/// Data by number. There is none beyond 9999.
#[resource_template("test://template/{id}/data", mime_type = "application/json")]
pub(crate) fn data(Data { id }: Data) -> Result<String> {
    if id > 9999 {
        return Err(not_found());
    }
    Ok(format!(r#"{{"id":"{id}","templateTest":true,"data":"Data for ID: {id}"}}"#))
}
