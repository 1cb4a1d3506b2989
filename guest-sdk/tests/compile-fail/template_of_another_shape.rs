use dacapo_guest::prelude::*;

#[derive(TemplateVariables)]
struct Item {
    id: u32,
}

/// The variable is no field.
#[resource_template("shop://{number}")]
fn other(_: Item) -> String {
    String::new()
}

/// A variable too many.
#[resource_template("shop://{id}/{part}")]
fn more(_: Item) -> String {
    String::new()
}

#[derive(TemplateVariables)]
struct Part {
    id: u32,
    part: String,
}

/// A field too many.
#[resource_template("shop://{id}")]
fn less(_: Part) -> String {
    String::new()
}

/// Two variables in one.
#[resource_template("shop://{id}{part}")]
fn beside(_: Part) -> String {
    String::new()
}

/// A list.
#[resource_template("shop://list{?id,part}")]
fn list(_: Part) -> String {
    String::new()
}

/// Never closed.
#[resource_template("shop://{id")]
fn open(_: Item) -> String {
    String::new()
}

/// No template.
#[resource_template("shop://all")]
fn none() -> String {
    String::new()
}

fn main() {}
