(* SPDX-License-Identifier: MIT *)
(* edpcheck FILE...: reads files, asks the extracted checker, and prints a line for each.                     *)
(* Exit code 0 accepted, 1 rejected, 3 malformed, 4 not decided, 2 cannot be read; of several files the worst *)
(* in the order 0 < 1 < 4 < 3 < 2.  A file - is standard input.                                               *)
(* edpcheck --lp FILE: prints the linear program of its claim, which is not checked (0; 4 if there is none).  *)

(* As many bytes as the reference checker reads, and one more. *)
let most = 64 * 1024 * 1024

let bytes_of name =
  let channel = if name = "-" then stdin else open_in_bin name in
  let buffer, chunk = Buffer.create 65536, Bytes.create 65536 in
  let rec read () =
    let n = input channel chunk 0 65536 in
    if n > 0 then (Buffer.add_subbytes buffer chunk 0 n; if Buffer.length buffer <= most then read ()) in
  set_binary_mode_in channel true;
  read ();
  if name <> "-" then close_in channel;
  if Buffer.length buffer > most then failwith "more than 64 mebibytes";
  List.of_seq (Buffer.to_seq buffer)

let text cs = String.of_seq (List.to_seq cs)
(* One line: what is not printable is escaped. *)
let printable name = text (Edp.escaped (List.of_seq (String.to_seq name)))

let answer name =
  try
    match Edp.report (bytes_of name) with
    | Edp.Accepted _, claim -> 0, "accepted: " ^ text claim
    | Edp.Rejected _, claim -> 1, "rejected: its witness does not show this: " ^ text claim
    | Edp.Undecided _, claim -> 4, "not decided: its witness does not show this to this checker: " ^ text claim
    | Edp.Damaged, _ -> 1, "rejected: its digest is not that of its content"
    | Edp.Malformed, _ -> 3, "malformed: not JSON as certificates use it"
    | Edp.Unread, _ -> 4, "not decided: malformed, or of a kind that this checker does not know"
  with
  | Failure reason -> 4, "not decided: " ^ reason
  | Sys_error reason -> 2, "unreadable: " ^ printable reason
  | error -> 4, "not decided: stopped by " ^ Printexc.to_string error

let program name =
  match Edp.program_text (bytes_of name) with
  | Some pieces -> List.iter (fun piece -> print_string (text piece)) pieces; 0
  | None -> prerr_endline (printable name ^ ": malformed, or of a kind that is no linear program known here"); 4
  | exception Failure reason -> prerr_endline (printable name ^ ": " ^ reason); 4
  | exception Sys_error reason -> prerr_endline (printable name ^ ": unreadable: " ^ printable reason); 2
  | exception error -> prerr_endline (printable name ^ ": stopped by " ^ Printexc.to_string error); 4

let rank = function 0 -> 0 | 1 -> 1 | 4 -> 2 | 3 -> 3 | _ -> 4

let () =
  Gc.set { (Gc.get ()) with Gc.minor_heap_size = 0x100000; space_overhead = 60 };
  let files = List.tl (Array.to_list Sys.argv) in
  if files = [] then (prerr_endline "usage: edpcheck FILE..., or edpcheck --lp FILE"; exit 2);
  (match files with ["--lp"; name] -> exit (program name) | _ -> ());
  let check worst name =
    let code, line = answer name in
    print_endline (printable name ^ ": " ^ line);
    if rank code > rank worst then code else worst in
  exit (List.fold_left check 0 files)
