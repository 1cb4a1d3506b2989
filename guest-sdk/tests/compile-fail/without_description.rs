use dacapo_guest::prelude::*;

#[prompt]
fn prompt() -> String {
    String::new()
}

#[resource("a:b")]
fn resource() -> String {
    String::new()
}

#[derive(TemplateVariables)]
struct Page {
    page: u8,
}

#[resource_template("a:{page}")]
fn page(Page { page }: Page) -> String {
    page.to_string()
}

fn main() {}
