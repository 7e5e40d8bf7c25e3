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
hand pass give deliver supply provide
feed supply starve starving hungry
stopwatch timer clock duration milliseconds seconds
symptom complain complaint
noisy verbose chatty talkative loud
quiet silent silently mute suppress
explode overflow blow diverge diverging
shrink slim trim lighter smaller thin
leftover remainder rest residue remaining
border edge boundary margin rim
tile square block
lockstep together unison
line queue lane pipe
jam contention fight collide clash conflict
traffic congestion bandwidth
bridge link connection wire cable interconnect
crew team squad
boss leader master coordinator chief supervisor
peer neighbour colleague
meet rendezvous gather barrier
signal notify flag ping alert
sleep idle doze nap
poll spin busy
steal grab take seize borrow
lend borrow loan
overwrite clobber trample corrupt destroy
garbage rubbish nonsense junk
leak creep grow accumulate pile
full exhausted exceeded
room space capacity headroom
hole gap fragment sliver
stash cache remember memorize memorise keep
forget drop discard lose
blueprint plan recipe template description
skeleton template scaffold boilerplate
wrapper shell envelope adapter
glue bind binding connect interface
expose publish reveal export
hidden invisible private internal
peek look inspect glance examine
snapshot picture dump checkpoint
rewind undo restore rollback
interrupted crash preempt killed
split shard partition slice divide
spread distribute scatter shard
mirror replicate copy duplicate
round truncate rounding
digit decimal precision mantissa
shorter narrow narrower fewer lower
stretch broadcast expand
flip transpose swap rotate mirror
shuffle permute rearrange scramble reorder mix
sort order arrange
skip omit ignore bypass
shortcut bypass skip directly straight
direct straight directly
on-chip scratchpad smem
heap malloc allocation
address pointer reference
pointer handle reference
recipe dockerfile
ship deliver deploy release distribute
deploy serve production
serve answer respond reply
request query call
predict inference forecast
assembly instruction opcode
handwritten manual own custom
interpreter python script
script program
header include
object binary
archive library bundle
installer package setup
download fetch internet
offline disconnected
laptop desktop computer workstation
cluster supercomputer farm
job task work workload
batch group bundle
example sample demo tutorial
beginner newcomer starter introduction
slowdown regression penalty
bottleneck limit limiting
hotspot expensive costly
idle starving waiting unused
warm preheat warmup
ramp warmup gradually
noise random jitter
outlier extreme spike
spike jump sudden
threshold limit cutoff
tolerance difference close
compare versus diff
nearly almost approximately roughly about
often frequently repeatedly
rare seldom infrequent
default standard usual normal
optional extra additional
obsolete deprecated old outdated
ancient old outdated
upgrade migrate port
compatible compatibility works
mismatch differ disagree inconsistent
missing absent lacking
present available exist installed
vendor manufacturer maker
strict rigid severe
loose relaxed lenient
steer control drive
tune adjust tweak calibrate
knob dial setting
turn switch toggle
pinned locked fixed
lock mutex exclusive
exclusive alone sole
tenant client user
isolate separate sandbox
rights permission privilege
root administrator admin
)";

}  // namespace sibyl::index
