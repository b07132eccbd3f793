;; Reads rows of the common form of an account list (INTERFACE 2, list item), 16 bytes at a time:
;;   {"external_account_number":"E","service_account_number":"S","account_created_at":"C"}
;; with only one comma between two rows. S and C can be null instead of a text. Texts are plain
;; ASCII without a backslash. It stops before the first row that has another form.
;;
;; row-scan.ts defines the layout of the memory.
(module
  (memory (export "memory") 4 4)

  ;; The number of rows read by the last call.
  (global $count (export "count") (mut i32) (i32.const 0))
  ;; The number of bytes of text written by the last call.
  (global $length (export "length") (mut i32) (i32.const 0))

  ;; Returns 1 if the bytes at $at are equal to a literal of $length bytes, else 0.
  (func $matches (param $at i32) (param $literal i32) (param $length i32) (result i32)
    (local $done i32)
    (local $left i32)
    (loop $blocks
      (local.set $left (i32.sub (local.get $length) (local.get $done)))
      (if
        (i32.and
          ;; One bit for each byte that differs.
          (i32.xor
            (i8x16.bitmask
              (i8x16.eq
                (v128.load (i32.add (local.get $at) (local.get $done)))
                (v128.load (i32.add (local.get $literal) (local.get $done)))))
            (i32.const 0xffff))
          ;; A mask of the bytes that belong to the literal.
          (i32.sub
            (i32.shl
              (i32.const 1)
              (select (local.get $left) (i32.const 16) (i32.lt_u (local.get $left) (i32.const 16))))
            (i32.const 1)))
        (then (return (i32.const 0))))
      (local.set $done (i32.add (local.get $done) (i32.const 16)))
      (br_if $blocks (i32.lt_u (local.get $done) (local.get $length))))
    (i32.const 1))

  ;; Copies a text to $to up to the first byte that is not plain, and returns its number of bytes.
  ;; Can write 15 bytes more.
  (func $copy (param $from i32) (param $to i32) (result i32)
    (local $bytes v128)
    (local $stops i32)
    (local $done i32)
    (loop $blocks
      (local.set $bytes (v128.load (i32.add (local.get $from) (local.get $done))))
      (v128.store (i32.add (local.get $to) (local.get $done)) (local.get $bytes))
      ;; Stops at a quote, a backslash, a byte outside ASCII (negative), or a control (below a
      ;; space).
      (local.set $stops
        (i8x16.bitmask
          (v128.or
            (v128.or
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x22)))
              (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 0x5c))))
            (i8x16.lt_s (local.get $bytes) (i8x16.splat (i32.const 0x20))))))
      (if (i32.eqz (local.get $stops))
        (then
          (local.set $done (i32.add (local.get $done) (i32.const 16)))
          (br $blocks))))
    (i32.add (local.get $done) (i32.ctz (local.get $stops))))

  ;; Reads rows from $at on until a row has another form, or $most rows are read. The caller writes
  ;; zeros after the last byte, so that an incomplete row ends there. Returns the end of the last
  ;; row, or $at if there is none.
  (func (export "scan")
    (param $at i32)
    (param $most i32)
    ;; Three literals, each with its length: the field name before each text.
    (param $external i32) (param $externalLength i32)
    (param $service i32) (param $serviceLength i32)
    (param $created i32) (param $createdLength i32)
    ;; The addresses for the texts, for three ends per row, and for one byte of flags per row.
    (param $text i32) (param $ends i32) (param $flags i32)
    ;; The flags of a null service account number, of an empty one, and of a null time.
    (param $serviceNull i32) (param $serviceEmpty i32) (param $createdNull i32)
    (result i32)
    (local $rowEnd i32)
    (local $begin i32)
    (local $size i32)
    (local $bits i32)
    (local.set $rowEnd (local.get $at))
    (local.set $begin (local.get $text))
    (global.set $count (i32.const 0))
    (global.set $length (i32.const 0))
    (block $stop
      (loop $rows
        ;; The external account number. An empty number is not plain.
        (br_if $stop
          (i32.eqz
            (call $matches (local.get $at) (local.get $external) (local.get $externalLength))))
        (local.set $at (i32.add (local.get $at) (local.get $externalLength)))
        (local.set $size (call $copy (local.get $at) (local.get $text)))
        (br_if $stop (i32.eqz (local.get $size)))
        (local.set $at (i32.add (local.get $at) (local.get $size)))
        (br_if $stop (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $text (i32.add (local.get $text) (local.get $size)))
        (i32.store (local.get $ends) (i32.sub (local.get $text) (local.get $begin)))

        ;; The service account number.
        (br_if $stop
          (i32.eqz (call $matches (local.get $at) (local.get $service) (local.get $serviceLength))))
        (local.set $at (i32.add (local.get $at) (local.get $serviceLength)))
        (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x22))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $size (call $copy (local.get $at) (local.get $text)))
            (local.set $at (i32.add (local.get $at) (local.get $size)))
            (br_if $stop (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $text (i32.add (local.get $text) (local.get $size)))
            (local.set $bits
              (select (i32.const 0) (local.get $serviceEmpty) (local.get $size))))
          (else
            ;; The four bytes of null as a little-endian number.
            (br_if $stop (i32.ne (i32.load (local.get $at)) (i32.const 0x6c6c756e)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (local.set $bits (local.get $serviceNull))))
        (i32.store offset=4 (local.get $ends) (i32.sub (local.get $text) (local.get $begin)))

        ;; The time.
        (br_if $stop
          (i32.eqz (call $matches (local.get $at) (local.get $created) (local.get $createdLength))))
        (local.set $at (i32.add (local.get $at) (local.get $createdLength)))
        (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x22))
          (then
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $size (call $copy (local.get $at) (local.get $text)))
            (local.set $at (i32.add (local.get $at) (local.get $size)))
            (br_if $stop (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x22)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (local.set $text (i32.add (local.get $text) (local.get $size))))
          (else
            (br_if $stop (i32.ne (i32.load (local.get $at)) (i32.const 0x6c6c756e)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (local.set $bits (i32.or (local.get $bits) (local.get $createdNull)))))
        (i32.store offset=8 (local.get $ends) (i32.sub (local.get $text) (local.get $begin)))

        ;; The end of the row. The row is complete from here on.
        (br_if $stop (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x7d)))
        (local.set $rowEnd (i32.add (local.get $at) (i32.const 1)))
        (i32.store8 (i32.add (local.get $flags) (global.get $count)) (local.get $bits))
        (global.set $count (i32.add (global.get $count) (i32.const 1)))
        (global.set $length (i32.sub (local.get $text) (local.get $begin)))
        (local.set $ends (i32.add (local.get $ends) (i32.const 12)))
        (br_if $stop (i32.ge_u (global.get $count) (local.get $most)))
        (br_if $stop (i32.ne (i32.load8_u (local.get $rowEnd)) (i32.const 0x2c)))
        (local.set $at (i32.add (local.get $rowEnd) (i32.const 1)))
        (br $rows)))
    (local.get $rowEnd)))
