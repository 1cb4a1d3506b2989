//! Components and modules that no toolchain would make, put together byte by byte.

/// A component with one more core module in it, which nothing uses.
#[must_use]
pub fn with_module(mut component: Vec<u8>, module: &[u8]) -> Vec<u8> {
    section(&mut component, 1, module);
    component
}

/// A core module of `count` functions without parameters and results, each with this body (locals and instructions).
#[must_use]
pub fn module_of_functions(count: usize, body: &[u8]) -> Vec<u8> {
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    section(&mut module, 1, &[1, 0x60, 0, 0]);
    let mut types = leb(count);
    types.resize(types.len() + count, 0);
    section(&mut module, 3, &types);
    let mut code = leb(count);
    let body = [leb(body.len()).as_slice(), body].concat();
    for _ in 0..count {
        code.extend_from_slice(&body);
    }
    section(&mut module, 10, &code);
    module
}

/// A module that is small enough to be taken, and keeps a compiler busy for at least many seconds.
#[must_use]
pub fn compile_bomb() -> Vec<u8> {
    // A local, and as many rounds of: if it is not zero, leave this block; add one to it.
    let mut body = vec![1, 1, 0x7f];
    for _ in 0..200_000 {
        body.extend_from_slice(&[0x02, 0x40, 0x20, 0, 0x0d, 0, 0x20, 0, 0x41, 1, 0x6a, 0x21, 0, 0x0b]);
    }
    body.push(0x0b);
    module_of_functions(10, &body)
}

fn section(wasm: &mut Vec<u8>, id: u8, content: &[u8]) {
    wasm.push(id);
    wasm.extend(leb(content.len()));
    wasm.extend_from_slice(content);
}

fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7f).expect("seven bits");
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
