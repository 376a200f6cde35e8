<?php
class User
{
    public function __construct(
        /** Who it is. */
        private readonly int $id,
        public string $name = 'nobody',
        #[Sensitive] protected ?string $secret = null,
        bool $active = true,
    ) {}
}
