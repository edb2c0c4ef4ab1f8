/* Fence and lease of one table, with lost replies and repeats.

   Two processes share a log in Redis. A process that holds the table appends entries under its fence; a
   reply may be lost, then the same call is sent again; a call may also stay under way for as long as it
   likes, past its sender's death or pause, and be carried out then. Leases end at any time, also while
   the holder only stands still. Whoever sees a holder without a lease takes the table by comparing and
   setting the fence.

   Checked: an acknowledged entry is in the log, once, at its number; nothing is accepted from a fenced-off
   owner; under one fence only one process ever writes; what a process shows was committed.

   PLANT 1: no fence check. 2: acknowledged before the append. 3: a repeat is appended anew.
   4: taken without comparing the fence. */

#ifndef PLANT
#define PLANT 0
#endif

#define N 2
#ifndef MOST
#define MOST 2    /* entries in the log at most */
#endif
#define CALLS 3   /* calls under way at once */

#ifndef ENDS
#define ENDS 2    /* how often a lease ends */
#endif
#ifndef REPEATS
#define REPEATS 1 /* of an append */
#endif

/* In Redis. */
byte fence = 1;
byte holder = 0;
byte length = 0;
byte value[MOST];       /* by number - 1 */
bool lease[N] = true;
byte wrote[8];          /* by fence: who wrote under it + 1 */

/* What is on its way: an append {from, fence, number, value}. */
typedef Call { bool there; byte from; byte fence; byte number; byte value };
Call call[CALLS];

/* Answers that arrived: 0 none, 1 done, 2 fenced, 3 conflict; and which value each waits for, 0 for none. */
byte answer[N];
byte wish[N];

byte next_value = 1;

inline send(me, f, n, v) {
    d_step {
        byte slot = 0;
        do
        :: slot < CALLS && call[slot].there -> slot++
        :: else -> break
        od;
        if
        :: slot < CALLS ->
            call[slot].there = true; call[slot].from = me; call[slot].fence = f;
            call[slot].number = n; call[slot].value = v
        :: else -> skip  /* too many under way: this one is lost */
        fi;
        slot = 0
    }
}

/* Carries calls out, in any order, once each; the answer may get lost. */
active proctype Redis() {
    byte i; byte said;
end:
    do
    :: d_step {
        i = 0; said = 0
       }
       if
       :: call[0].there -> i = 0
       :: call[1].there -> i = 1
       :: call[2].there -> i = 2
       fi;
       atomic {
        if
        :: PLANT != 1 && call[i].fence != fence -> said = 2
        :: else ->
            if
            :: call[i].number == length + 1 && length < MOST ->
                assert(call[i].fence == fence);  /* accepted from a fenced-off owner */
                value[length] = call[i].value;
                assert(wrote[call[i].fence] == 0 || wrote[call[i].fence] == call[i].from + 1);  /* one writer a fence */
                wrote[call[i].fence] = call[i].from + 1;
                length++; said = 1
            :: call[i].number <= length && call[i].number > 0 && PLANT != 3 ->
                if
                :: value[call[i].number - 1] == call[i].value -> said = 1
                :: else -> said = 3
                fi
            :: call[i].number <= length && PLANT == 3 && length < MOST ->
                value[length] = call[i].value;
                length++; said = 1
            :: else -> said = 3
            fi
        fi;
        /* The answer arrives, or not; it is only for whoever still waits for this very call. */
        if
        :: wish[call[i].from] == call[i].value -> answer[call[i].from] = said
        :: skip
        fi;
        call[i].there = false; i = 0; said = 0
       }
    od
}

/* Leases end whatever their holder does, and are renewed if it lives. */
active proctype Time() {
    byte ends = 0;
end:
    do
    :: ends < ENDS && lease[0] -> atomic { lease[0] = false; ends++ }
    :: ends < ENDS && lease[1] -> atomic { lease[1] = false; ends++ }
    :: !lease[0] -> lease[0] = true
    :: !lease[1] -> lease[1] = true
    od
}

proctype Process(byte me) {
    byte mine = 0;      /* the fence that it believes to hold, 0 for none */
    byte number = 0;    /* how long it knows the log */
    byte repeats = 0;
    byte seen;          /* the fence that it saw with the holder without a lease */
    byte i; byte found;

    if
    :: me == 0 -> mine = 1
    :: else -> skip
    fi;
end:
    do
    /* Own: append the next value. */
    :: mine != 0 && wish[me] == 0 && next_value <= MOST && number < MOST ->
        atomic {
            wish[me] = next_value; next_value++; repeats = 0; answer[me] = 0;
            send(me, mine, number + 1, wish[me])
        }
        if
        :: PLANT == 2 -> answer[me] = 1
        :: else -> skip
        fi
    /* Not answered: the same call again. */
    :: mine != 0 && wish[me] != 0 && answer[me] == 0 && repeats < REPEATS ->
        atomic { repeats++; send(me, mine, number + 1, wish[me]) }
    :: mine != 0 && wish[me] != 0 && answer[me] == 1 ->
        /* Acknowledged, and shown: it must be there, at its number, and nowhere else. */
        atomic {
            assert(length >= number + 1 && value[number] == wish[me]);  /* it is there */
            i = 0; found = 0;
            do
            :: i < length -> if :: value[i] == wish[me] -> found++ :: else fi; i++
            :: else -> break
            od;
            assert(found == 1);  /* once */
            i = 0; found = 0;
            number++; wish[me] = 0; answer[me] = 0; repeats = 0
        }
    :: mine != 0 && wish[me] != 0 && answer[me] > 1 ->
        /* Fenced, or the log is another one: stop. */
        atomic { mine = 0; wish[me] = 0; answer[me] = 0; repeats = 0 }
    /* Somebody's lease has run out: look, and take. */
    :: mine == 0 && holder != me && !lease[holder] && fence < 4 ->
        seen = fence;
        if
        :: atomic {
            (PLANT == 4 || (fence == seen && !lease[holder])) ->
            if
            :: PLANT == 4 -> holder = me; mine = seen
            :: else -> fence++; holder = me; mine = fence
            fi;
            number = length; wish[me] = 0; answer[me] = 0; repeats = 0
           }
        :: else -> skip
        fi;
        seen = 0
    od
}

init { atomic { run Process(0); run Process(1) } }
