// SPDX-License-Identifier: Apache-2.0
// Everyday words that mean about the same where somebody explains a machine or a
// program; a group a line, the order does not matter. They only help to find an
// entry of the glossary: in the sources "drop" and "delete" are different things.
#pragma once

#include <string_view>

namespace sibyl::index {

inline constexpr std::string_view kSynonyms = R"(
quick fast rapid speedy swift hurry accelerate quicker
slow sluggish lag crawl slower
speed throughput pace rate
large big huge enormous giant great massive oversized gigantic bulky
small tiny little miniature minute compact short
many several lots multiple numerous plenty thousands hundreds dozens
single one alone sole lone
all every whole entire everything complete full total
part piece portion slice share fraction chunk section segment fragment bit
split divide cut separate partition break chop carve
join merge combine glue unite fuse together concatenate lump bundle unify
copy duplicate clone replicate replica
move transfer transport shift carry ship send haul migrate
fetch load read get retrieve pull bring obtain grab pick
store save keep hold retain preserve stash remember put park
write emit output dump print
remove delete drop discard throw erase eliminate prune strip away
add append attach insert extend
increase raise grow enlarge expand boost
decrease reduce lower shrink cut less lessen diminish fewer
compress squeeze pack cram condense
begin start launch initiate kick commence startup boot
end finish stop complete done terminate conclude over
stop halt prevent avoid forbid prohibit disallow ban refuse block
permit allow let enable grant
wait block pause stall hold idle
stuck hang freeze frozen deadlock forever
again repeat repeatedly redo rerun twice second anew reuse
reuse recycle reclaim
before ahead beforehand early advance prior
after later afterwards following next
behind late lag straggle
first initial beginning initially
last final latest recent recently previous past earlier
meanwhile while during simultaneously concurrently parallel same time overlap
order sequence arrange ordering
group bundle set collection team cluster bunch
neighbour neighbor adjacent nearby next neighbouring neighboring
other another different distinct foreign
same identical equal equivalent alike
change modify alter edit vary differ
update refresh renew
choose pick select decide determine
try attempt test experiment
check verify validate ensure confirm
find locate search discover detect look seek identify
see view look show display watch observe inspect visualize
draw paint render plot picture
picture image photo diagram chart
map mapping correspond
measure time gauge quantify count
count number tally
estimate guess approximate predict approximation
exact precise accurate accurately precision exactly
wrong incorrect bad invalid error mistake faulty broken
error failure fault crash problem bug
fail crash abort die break
fix repair correct mend cure
result answer outcome output
random chance stochastic randomness dice
repeatable reproducible deterministic identical
cost expense overhead price expensive penalty
cheap inexpensive cheaply free
free release relinquish give return
allocate reserve request claim ask
waste wasted unused idle
busy occupied saturated active
share common shared
exchange swap trade pass hand communicate talk
communication traffic network messages
machine computer host node server
worker process rank participant
program application executable software app
card gpu accelerator board graphics device
processor cpu chip
memory ram storage space
disk drive file
buffer scratch
number value quantity figure
weight parameter coefficient
derivative gradient slope
network model net
layer stage step
array tensor vector list
table lookup dictionary
row line
column slot
matrix matrices grid
multiply multiplication product
sum total add accumulate
average mean
spread deviation variance
largest biggest maximum max peak highest most
smallest minimum min lowest least
half fifty
byte eight
bit bits
code source
translate convert turn transform
compile build rebuild
compiler toolchain
library dependency package
test check
rule policy
setting option switch flag configuration knob
folder directory path location place
name label tag title
mark annotate label
log record history journal
record capture tape
play replay repeat
hide mask cover conceal
limit cap restrict bound constrain
ask query request inquire
tell say inform notify announce specify
call invoke
own custom private
automatic automatically itself
manual manually hand explicitly
suspicious doubtful questionable warning
old older previous legacy
new newer fresh modern newest
generation version family
urgent important priority precedence critical
safe safely secure
dead lost failed
recover restore resume continue
hardware silicon circuit
user people person customer
container docker
picture screen window
word token
sentence text sequence
sound audio voice speech
train training learn learning
teach teacher
zero nothing nil vanish disappear
infinite infinity nan
scale factor scaling
expand spread distribute scatter
collect gather aggregate
wide broad
deep nested
near close local
inside within
outside external
only just merely
without no avoid
need require must demand
useful helpful
ready finished
)";

}  // namespace sibyl::index
