# Submits with Debian's Net::SMPP in its asynchronous mode, as npm-smpp.ts does: same arguments, same answer.
use strict;
use warnings;
use Net::SMPP;
use Time::HiRes 'time';

my ($port, $count, $window, $text) = @ARGV;
my ($smpp, $bound) = Net::SMPP->new_transceiver('127.0.0.1', port => $port, system_id => 'bench', password => '')
  or die 'no connection to the carrier';
die 'the carrier refused the bind' if $bound->{status};
my ($sent, $answered) = (0, 0);
my ($began, @cpu) = (time, times);
while ($answered < $count) {
  while ($sent < $count && $sent - $answered < $window) {
    $smpp->submit_sm(
      async => 1,
      source_addr => 'Bench',
      source_addr_ton => 5,
      dest_addr_ton => 1,
      dest_addr_npi => 1,
      destination_addr => 639170000000 + $sent++,
      short_message => $text,
    ) or die 'the connection broke';
  }
  my $pdu = $smpp->read_pdu() or die 'the connection broke';
  $answered++ if $pdu->{cmd} == 0x80000004;
}
my $seconds = time - $began;
my @after = times;
printf '{"seconds":%f,"cpu":%f}', $seconds, $after[0] + $after[1] - $cpu[0] - $cpu[1];
