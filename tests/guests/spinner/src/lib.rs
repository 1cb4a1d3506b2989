//! Loops for ever, and never calls the host from within the loop.

use dacapo_guest::prelude::*;

/// Reports that it has begun, and then loops for ever.
#[tool]
fn spin(ctx: &Context) -> Result<String> {
    println!("spinning");
    ctx.counting_progress(None).emit()?;
    loop {
        std::hint::black_box(());
    }
}

dacapo_guest::handlers! { tools: [spin] }
