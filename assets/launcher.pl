# Runs one program and reports what it took, where no C compiler is at hand: the same work and the same line on file
# descriptor 3 as launcher.c. Perl has no wait4 of its own, but can make system calls by number; the first argument gives
# those of this machine: wait4,clock_gettime,prctl.
use strict;

my ($wait4, $clock_gettime, $prctl) = split /,/, shift @ARGV;
my @forwarded = qw(INT TERM HUP QUIT);

open(my $report, '>&=', 3) or exit 2;

sub die_with_parent {
  my ($parent) = @_;
  syscall($prctl, 1, 9, 0, 0, 0);
  kill('KILL', $$) if getppid() != $parent;
}

sub nanoseconds {
  my $now = "\0" x 16;
  syscall($clock_gettime, 1, $now);
  my ($seconds, $rest) = unpack('q2', $now);
  return $seconds * 1_000_000_000 + $rest;
}

sub tell_parent { syswrite($report, "$_[0]\n"); exit 0 }

die_with_parent(getppid());
$SIG{$_} = 'IGNORE' for @forwarded;
pipe(my $gate, my $far) or exit 3;
my $self = $$;
my ($status, $usage) = ("\0" x 4, "\0" x 144);
my $start = nanoseconds();
my $child = fork();
tell_parent('error ' . ($! + 0)) unless defined $child;

if ($child == 0) {
  $SIG{$_} = 'DEFAULT' for @forwarded;
  die_with_parent($self);
  close $report;
  { no warnings; exec { $ARGV[0] } @ARGV; }
  syswrite($far, $! + 0);
  require POSIX;
  POSIX::_exit(127);
}

close $far;
while (syscall($wait4, $child, $status, 0, $usage) < 0) { exit 4 if $! + 0 != 4 }
my $wall = nanoseconds() - $start;
sysread($gate, my $reason, 16);
tell_parent("error $reason") if length $reason;
my ($user, $user_rest, $system, $system_rest, $peak) = unpack('q5', $usage);
my $ending = unpack('i', $status);
my $signal = $ending & 127;
tell_parent(join ' ', 'done', $wall, $user * 1_000_000 + $user_rest, $system * 1_000_000 + $system_rest, $peak,
  $signal ? ('-', $signal) : ($ending >> 8, '-'));
