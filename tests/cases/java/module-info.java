/** The office. */
@Deprecated
open module harbour.office {
    requires java.sql;
    requires transitive harbour.berths;
    exports harbour.office.api;
    exports harbour.office.spi to harbour.plugins;
    opens harbour.office.model;
    uses harbour.office.spi.Plugin;
    provides harbour.office.spi.Plugin with harbour.office.Default;
}
