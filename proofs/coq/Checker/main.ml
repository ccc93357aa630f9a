(* SPDX-License-Identifier: MIT *)
(* edpcheck FILE...: reads files, asks the extracted checker, and prints a line for each.                     *)
(* Exit code 0 accepted, 1 rejected, 3 malformed, 4 not decided, 2 cannot be read; of several files the worst *)
(* in the order 0 < 1 < 4 < 3 < 2.                                                                            *)
(* edpcheck --lp FILE: prints the linear program of its claim, which is not checked (0; 4 if there is none).  *)

let bytes_of name =
  let channel = open_in_bin name in
  let data = really_input_string channel (in_channel_length channel) in
  close_in channel;
  List.of_seq (String.to_seq data)

let text cs = String.of_seq (List.to_seq cs)

let answer name =
  match Edp.check_bytes (bytes_of name) with
  | Edp.Accepted claim -> 0, "accepted: " ^ text (Edp.sentence_of claim)
  | Edp.Rejected claim -> 1, "rejected: its witness does not show this: " ^ text (Edp.sentence_of claim)
  | Edp.Malformed -> 3, "malformed: not JSON as certificates use it"
  | Edp.Unread -> 4, "not decided: malformed, or of a kind that this checker does not know"
  | exception Sys_error reason -> 2, "unreadable: " ^ reason
  | exception error -> 4, "not decided: stopped by " ^ Printexc.to_string error

let program name =
  match Edp.program_text (bytes_of name) with
  | Some pieces -> List.iter (fun piece -> print_string (text piece)) pieces; 0
  | None -> prerr_endline (name ^ ": malformed, or of a kind that is no linear program known here"); 4
  | exception Sys_error reason -> prerr_endline (name ^ ": unreadable: " ^ reason); 2
  | exception error -> prerr_endline (name ^ ": stopped by " ^ Printexc.to_string error); 4

let rank = function 0 -> 0 | 1 -> 1 | 4 -> 2 | 3 -> 3 | _ -> 4

let () =
  let files = List.tl (Array.to_list Sys.argv) in
  if files = [] then (prerr_endline "usage: edpcheck FILE..., or edpcheck --lp FILE"; exit 2);
  (match files with ["--lp"; name] -> exit (program name) | _ -> ());
  let check worst name =
    let code, line = answer name in
    print_endline (name ^ ": " ^ line);
    if rank code > rank worst then code else worst in
  exit (List.fold_left check 0 files)
