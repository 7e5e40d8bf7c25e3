// Limits of the Tide controller.
#define TIDE_SAMPLE_MS 250     // how often the level sensor is read
#define TIDE_MAX_AMPS 6        // a higher current is fault E2
#define TIDE_TRIP_SECONDS 2    // after this time
