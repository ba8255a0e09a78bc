;;; Drives a recording of the sample in dape, with the configuration that docs/dap.md shows -*- lexical-binding: t -*-
;; Environment: EREMITE (the launcher), EREMITE_DATA_DIR, BANK (the program), BANK_SOURCE, CONFIGURATION (a file).

(package-activate-all)
(setq dape-start-hook nil
      dape-request-timeout 60
      ;; Nobody is there to be asked.
      kill-buffer-query-functions nil)
(load (getenv "CONFIGURATION") nil t)

(defun await (what predicate)
  "Wait until PREDICATE holds; WHAT is said if that never happens."
  (with-timeout (60 (error "No %s" what))
    (while (not (funcall predicate))
      (accept-process-output nil 0.02))))

(defvar stops 0 "How often the program has stopped.")
(add-hook 'dape-stopped-hook (lambda () (setq stops (1+ stops))))

(defun place ()
  "The function and the line that dape shows."
  (let ((frame (dape--current-stack-frame dape--connection)))
    (and frame (cons (plist-get frame :name) (plist-get frame :line)))))

(defun settled ()
  "Whether the program stands and dape knows where."
  (and dape--connection
       (zerop (jsonrpc-continuation-count dape--connection))
       (dape--stopped-threads dape--connection)
       (place)))

(defun move (command)
  "Do COMMAND as a key would; the place where the program stops then."
  (let ((before stops))
    (call-interactively command)
    (await (format "stop after %s" command)
           (lambda () (and (> stops before) (settled))))
    (princ (format "%s\t%s\n" command (place)))
    (place)))

(defun line-of (text)
  "Go to the line of the source with TEXT; its number."
  (goto-char (point-min))
  (search-forward text)
  (line-number-at-pos))

(defun expect (what value expected)
  "Fail unless VALUE is EXPECTED; WHAT tells of it."
  (unless (equal value expected)
    (error "%s: %S, and not %S" what value expected)))

(defun drive ()
  "Go from the crash back to the line that caused it."
  (find-file (getenv "BANK_SOURCE"))
  (let ((source (current-buffer))
        (writes (line-of "account->owner[i] = name[i];"))
        (loop (line-of "for (size_t i = 0;"))
        (prints (line-of "balance %ld")))
    (line-of "account->owner[i] = name[i];")
    (dape-breakpoint-toggle)
    (dape (dape--config-eval 'eremite-record `(command ,(getenv "EREMITE") :program ,(getenv "BANK"))))
    (await "crash" (lambda () (and (> stops 0) (settled))))
    (expect "the crash" (place) (cons "print_statement" prints))
    (expect "the beginning of the line" (move 'dape-step-back) (cons "print_statement" prints))
    (expect "the line before" (move 'dape-step-back) (cons "print_statement" (1- prints)))
    (expect "the last write" (move 'dape-reverse-continue) (cons "rename_account" writes))
    (expect "a step back in the loop" (move 'dape-step-back) (cons "rename_account" loop))
    (expect "the write before" (move 'dape-reverse-continue) (cons "rename_account" writes))
    (expect "forwards" (move 'dape-continue) (cons "rename_account" writes))
    (with-current-buffer source
      (line-of "account->owner[i] = name[i];")
      (dape-breakpoint-toggle))
    (expect "forwards to the crash" (move 'dape-continue) (cons "print_statement" prints))
    (dape-quit)
    (await "end" (lambda () (not (dape--live-connection 'parent t))))))

(condition-case failure
    (progn (drive) (princ "passed\n"))
  (error (princ (format "failed: %s\n" (error-message-string failure))) (kill-emacs 1)))
